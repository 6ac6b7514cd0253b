import { unauthenticated } from '#platform/errors'

/** What the Authorization header holds. Credentials in a query, a cookie or a body are never read. */
export type Credential = { kind: 'session'; token: string } | { kind: 'api_key'; key: string }

const keyPrefix = 'svc_live_'

export function readCredential(header: string | undefined): Credential | null {
  if (header === undefined) return null
  const [, scheme = '', value = ''] = /^(Bearer|ApiKey) ([\w.~+/-]{1,4096}=*)$/i.exec(header) ?? []
  if (!value) throw unauthenticated('authentication_required', 'The Authorization header is not one we understand.')
  if (value.startsWith(keyPrefix)) return { kind: 'api_key', key: value }
  if (scheme.toLowerCase() === 'apikey')
    throw unauthenticated('invalid_token', 'This is not an API key of this service.')
  return { kind: 'session', token: value }
}
