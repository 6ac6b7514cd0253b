import { unauthenticated } from '#platform/errors'

/** Content of the Authorization header; credentials in a query, cookie or body are never read. */
export type Credential = { kind: 'session'; token: string } | { kind: 'api_key'; key: string }

const keyPrefix = 'svc_live_'

export function readCredential(header: string | undefined): Credential | null {
  if (header === undefined) return null
  const [, scheme = '', value = ''] = /^(Bearer|ApiKey) ([\w.~+/-]{1,4096}=*)$/i.exec(header) ?? []
  if (!value)
    throw unauthenticated(
      'authentication_required',
      'The `Authorization` header must be `Bearer` or `ApiKey` followed by a token.',
    )
  if (value.startsWith(keyPrefix)) return { kind: 'api_key', key: value }
  if (scheme.toLowerCase() === 'apikey')
    throw unauthenticated('invalid_token', 'The API key was not issued by this service.')
  return { kind: 'session', token: value }
}

export type Host = { kind: 'tenant'; slug: string } | { kind: 'main' } | { kind: 'other' }

const label = /^[a-z0-9-]{1,63}$/

/** Takes the raw Host header only; X-Forwarded-Host is not trusted. */
export function readHost(header: string | undefined, domain: string): Host {
  const host = (header ?? '')
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
  if (host === domain) return { kind: 'main' }
  if (!host.endsWith(`.${domain}`)) return { kind: 'other' }
  const slug = host.slice(0, -domain.length - 1)
  return label.test(slug) ? { kind: 'tenant', slug } : { kind: 'other' }
}

/** Makes every target routable, because Fastify rejects others before any hook runs: `%ff` is a literal percent sign and ff. */
export function toRoutableTarget({ url = '' }: { url?: string }): string {
  const target = url.startsWith('/') ? url : `/${url}`
  const path = target.split(/[?#]/, 1)[0]!
  return isDecodable(path) ? target : path.replaceAll('%', '%25') + target.slice(path.length)
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    decodeURI(path)
    return true
  } catch {
    return false
  }
}
