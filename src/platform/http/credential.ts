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
