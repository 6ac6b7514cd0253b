import { type InputError, toFieldName } from '#platform/errors'

export type EgressReason =
  | 'dns'
  | 'blocked_address'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'status'
  | 'too_large'
  | 'redirect'
  | 'invalid_url'

const messages: Record<EgressReason, string> = {
  dns: 'The host name cannot be resolved. Check the URL.',
  blocked_address: 'The URL does not lead to the public internet.',
  connect: 'The server cannot be reached, or it closed the connection.',
  tls: 'The server has no certificate that can be trusted, or its encryption is too old.',
  timeout: 'The server did not respond in time.',
  status: 'The server responded with an error.',
  too_large: 'The response of the server is too large.',
  redirect: 'The server redirects to another URL, which is not followed. Use the final URL.',
  invalid_url: 'The URL is not a valid https URL.',
}

/** Thrown when an outgoing request fails. Contains no host names or addresses, so it can be shown and logged. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly reason: EgressReason
  readonly status: number | null
  readonly code: string | null

  constructor(
    reason: EgressReason,
    { message, status = null, code = null }: { message?: string; status?: number | null; code?: string | null } = {},
  ) {
    super(message ?? messages[reason])
    this.reason = reason
    this.status = status
    this.code = code
  }
}

/** Describes why the URL of a field cannot be used. */
export const toUrlInputError = ({ reason, message }: EgressError, path: string): InputError => ({
  in: 'body',
  path,
  code: reason,
  message: `\`${toFieldName(path)}\` cannot be used. ${message}`,
})

const timeoutCodes = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']
const overflowCodes = ['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']
const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_|HOSTNAME_MISMATCH$)/

export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  const { name = '', code = null } = error as { name?: string; code?: string | null }
  // Invalid arguments are a bug of the caller, not a network error.
  if (code === 'UND_ERR_INVALID_ARG') throw error
  if (name === 'TimeoutError' || timeoutCodes.includes(`${code}`)) return new EgressError('timeout')
  if (overflowCodes.includes(`${code}`)) return new EgressError('too_large')
  return new EgressError(tlsCode.test(`${code}`) ? 'tls' : 'connect', { code: typeof code === 'string' ? code : null })
}
