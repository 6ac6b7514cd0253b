import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import type { Config } from '#platform/config'
import { EgressError, toEgressError } from './egress-error.ts'
import { isPublicAddress } from './public-address.ts'
import { type HostResolver, publicDns, systemDns } from './resolve-host.ts'
import { ipLiteralOf, parseAllowedUrl } from './url-rules.ts'

export type EgressRequestOptions = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  timeoutMs?: number
  connectTimeoutMs?: number
  maxBytes?: number
  mustSucceed?: boolean
  signal?: AbortSignal
}
export type EgressResponse = { status: number; headers: Record<string, string>; body: Buffer }

export type Egress = {
  /** Sends a request to a user-supplied URL with SSRF protection. Rejects with EgressError. */
  safeFetch(url: string, options?: EgressRequestOptions): Promise<EgressResponse>
  /** Checks the URL and the addresses it resolves to without connecting. Rejects with EgressError. */
  assertUrlAllowed(url: string): Promise<void>
}

type Target = { url: URL; addresses: string[] }
type TimeLimits = { connectTimeoutMs: number; deadline: AbortSignal }
type EgressConfig = Pick<Config, 'APP_DOMAIN' | 'SAFE_FETCH_ALLOW_PRIVATE'>

export function createEgress({ config, resolve }: { config: EgressConfig; resolve?: HostResolver }): Egress {
  const allowsPrivate = config.SAFE_FETCH_ALLOW_PRIVATE
  const resolveHost = resolve ?? (allowsPrivate ? systemDns : publicDns())

  async function resolveTarget(userUrl: string, timeoutMs: number): Promise<Target> {
    const url = parseAllowedUrl(userUrl, { ownDomain: config.APP_DOMAIN, allowsPrivate })
    const literal = ipLiteralOf(url)
    const addresses = literal ? [literal] : await resolveWithin(timeoutMs, () => resolveHost(url.hostname))
    // Reject the host if any of its addresses is private, because the connection may use any of them.
    if (!allowsPrivate && !addresses.every(isPublicAddress)) throw new EgressError('blocked_address')
    return { url, addresses }
  }

  return {
    async safeFetch(url, options = {}) {
      const { timeoutMs = 15_000 } = options
      const connectTimeoutMs = Math.min(options.connectTimeoutMs ?? 5_000, timeoutMs)
      const limit = AbortSignal.timeout(timeoutMs)
      const deadline = options.signal ? AbortSignal.any([limit, options.signal]) : limit
      const target = await resolveTarget(url, connectTimeoutMs)
      return send({ ...target, connectTimeoutMs, deadline }, options)
    },
    async assertUrlAllowed(url) {
      await resolveTarget(url, 5_000)
    },
  }
}

async function resolveWithin(timeoutMs: number, resolve: () => Promise<string[]>): Promise<string[]> {
  const { promise: expired, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new EgressError('timeout')), timeoutMs)
  try {
    const addresses = await Promise.race([resolve(), expired])
    if (!addresses.length) throw new EgressError('dns')
    return addresses
  } catch (error) {
    throw error instanceof EgressError ? error : new EgressError('dns')
  } finally {
    clearTimeout(timer)
  }
}

async function send(
  { url, deadline, ...target }: Target & TimeLimits,
  options: EgressRequestOptions,
): Promise<EgressResponse> {
  const { method = 'GET', headers = {}, body, maxBytes = 1_048_576, mustSucceed = false } = options
  const requestHeaders = toRequestHeaders(headers)
  const agent = createPinnedAgent(target.addresses, target.connectTimeoutMs)
  try {
    const response = await request(url, {
      dispatcher: agent,
      signal: deadline,
      method,
      headers: requestHeaders,
      ...(body !== undefined && { body }),
    })
    const { statusCode: status } = response
    if (status >= 300 && status < 400) throw new EgressError('redirect', { status })
    if (mustSucceed && status >= 400) throw new EgressError('status', { status })
    return { status, headers: flattenHeaders(response.headers), body: await readBody(maxBytes, response) }
  } catch (error) {
    options.signal?.throwIfAborted()
    throw toEgressError(error)
  } finally {
    // Not awaited: destroy() would wait for a TLS handshake in progress, past the deadline.
    agent.destroy().catch(() => {})
  }
}

/** Creates an agent for one request that connects only to the checked addresses, which prevents DNS rebinding. */
function createPinnedAgent(addresses: string[], connectTimeoutMs: number): Agent {
  const checked = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_hostname, { all }, done) =>
    all ? done(null, checked) : done(null, checked[0]?.address ?? '', checked[0]?.family)
  return new Agent({
    connect: { lookup, timeout: connectTimeoutMs },
    connections: 1,
    allowH2: false,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
  })
}

function toRequestHeaders(callerHeaders: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'Tributary', 'accept-encoding': 'identity' }
  for (const [name, value] of Object.entries(callerHeaders)) headers[name.toLowerCase()] = value
  if ('host' in headers) throw new TypeError('The Host header is derived from the URL and cannot be set.')
  return headers
}

const flattenHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))

async function readBody(maxBytes: number, { statusCode: status, body }: Dispatcher.ResponseData): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new EgressError('too_large', { status })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
