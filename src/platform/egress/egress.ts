import { lookup, Resolver } from 'node:dns/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Dispatcher, request } from 'undici'
import { type Clock, systemClock } from '#platform/clock'
import type { Config } from '#platform/config'
import { createKeptConnections, createPinnedAgent, staleAddresses } from './connections.ts'
import { EgressError, toEgressError } from './egress-error.ts'
import { isPublicAddress } from './public-address.ts'
import { ipLiteralOf, parseAllowedUrl } from './url-rules.ts'

export type HostResolver = (hostname: string) => Promise<string[]>

/** Queries DNS directly: internal names in /etc/hosts are not resolved, and slow lookups do not block the libuv thread pool. */
export function publicDns(servers?: string[]): HostResolver {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (hostname) => {
    const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  }
}

export const systemDns: HostResolver = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

export type EgressRequestOptions = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  timeoutMs?: number
  connectTimeoutMs?: number
  maxBytes?: number
  mustSucceed?: boolean
  /** Reuses connections, for callers that send many requests to the same host. */
  keepAlive?: boolean
  signal?: AbortSignal
}
export type EgressResponse = { status: number; headers: Record<string, string>; body: Buffer }

export type Egress = {
  /** Sends a request to a user-supplied URL with SSRF protection. Rejects with EgressError. */
  safeFetch(url: string, options?: EgressRequestOptions): Promise<EgressResponse>
  /** Checks the URL and the addresses it resolves to without connecting. Rejects with EgressError. */
  assertUrlAllowed(url: string): Promise<void>
  /** Returns what is wrong with the URL itself, without resolving its host. */
  findUrlProblem(url: string): EgressError | undefined
  /** Closes the connections that are kept open; ends requests that use them. */
  close(): Promise<void>
}

type TimeLimits = { connectTimeoutMs: number; deadline: AbortSignal }
type TimedTarget = TimeLimits & { url: URL }
type EgressConfig = Pick<Config, 'APP_DOMAIN' | 'SAFE_FETCH_ALLOW_PRIVATE'>

type EgressServices = { config: EgressConfig; resolve?: HostResolver; clock?: Clock }

export function createEgress({ config, resolve, clock = systemClock }: EgressServices): Egress {
  const allowsPrivate = config.SAFE_FETCH_ALLOW_PRIVATE
  const resolveHost = resolve ?? (allowsPrivate ? systemDns : publicDns())
  const connections = createKeptConnections(() => clock.now().getTime())

  const parseUrl = (userUrl: string) => parseAllowedUrl(userUrl, { ownDomain: config.APP_DOMAIN, allowsPrivate })

  async function resolveAddresses(url: URL, timeoutMs: number): Promise<string[]> {
    const literal = ipLiteralOf(url)
    const addresses = literal ? [literal] : await resolveWithin(timeoutMs, () => resolveHost(url.hostname))
    // Reject the host if any of its addresses is private, because the connection may use any of them.
    if (!allowsPrivate && !addresses.every(isPublicAddress)) throw new EgressError('blocked_address')
    return addresses
  }

  async function sendOnce(target: TimedTarget, options: EgressRequestOptions) {
    return await sendPinned(target, await resolveAddresses(target.url, target.connectTimeoutMs), options)
  }

  async function sendKeptAlive(target: TimedTarget, options: EgressRequestOptions) {
    const { url, connectTimeoutMs, deadline } = target
    const sendIn = async (dispatcher: Dispatcher) => {
      const response = await send({ url, deadline, dispatcher }, options)
      // The connection becomes free one turn of the event loop after the end of the response.
      await nextTurn()
      return response
    }
    // A busy pool gets no further requests, so that slow responses of a host do not delay other callers of that host.
    const sendChecked = async () => {
      const addresses = await resolveAddresses(url, connectTimeoutMs)
      const pool = connections.open({ origin: url.origin, connectTimeoutMs, addresses })
      return pool ? await sendIn(pool) : await sendPinned(target, addresses, options)
    }
    const free = connections.find(url.origin)
    if (!free) return await sendChecked()
    try {
      return await sendIn(free)
    } catch (error) {
      if (!(error instanceof EgressError) || error.code !== staleAddresses) throw error
      // The connection was closed before the request was sent, so a new one needs a new check.
      return await sendChecked()
    }
  }

  return {
    safeFetch(userUrl, options = {}) {
      return withTimeLimits(options, (limits) => {
        const target = { url: parseUrl(userUrl), ...limits }
        return options.keepAlive ? sendKeptAlive(target, options) : sendOnce(target, options)
      })
    },
    async assertUrlAllowed(url) {
      await resolveAddresses(parseUrl(url), 5_000)
    },
    findUrlProblem(url) {
      try {
        parseUrl(url)
        return undefined
      } catch (error) {
        return toEgressError(error)
      }
    },
    close: connections.close,
  }
}

async function withTimeLimits<T>(options: EgressRequestOptions, work: (limits: TimeLimits) => Promise<T>): Promise<T> {
  const { timeoutMs = 15_000 } = options
  const connectTimeoutMs = Math.min(options.connectTimeoutMs ?? 5_000, timeoutMs)
  const limit = AbortSignal.timeout(timeoutMs)
  return await work({ connectTimeoutMs, deadline: options.signal ? AbortSignal.any([limit, options.signal]) : limit })
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

async function sendPinned(
  { url, connectTimeoutMs, deadline }: TimedTarget,
  addresses: readonly string[],
  options: EgressRequestOptions,
): Promise<EgressResponse> {
  const agent = createPinnedAgent({ addresses, connectTimeoutMs })
  try {
    return await send({ url, deadline, dispatcher: agent }, options)
  } finally {
    // Not awaited: destroy() would wait for a TLS handshake in progress, past the deadline.
    agent.destroy().catch(() => {})
  }
}

type Sending = { url: URL; deadline: AbortSignal; dispatcher: Dispatcher }

async function send({ url, deadline, dispatcher }: Sending, options: EgressRequestOptions): Promise<EgressResponse> {
  const { method = 'GET', headers = {}, body, maxBytes = 1_048_576, mustSucceed = false } = options
  const requestHeaders = toRequestHeaders(headers)
  try {
    const response = await request(url, {
      dispatcher,
      signal: deadline,
      method,
      headers: requestHeaders,
      ...(body !== undefined && { body }),
    })
    const { statusCode: status } = response
    const problem = problemOf(status, mustSucceed)
    if (problem) {
      response.body.on('error', () => {}).destroy()
      throw new EgressError(problem, { status })
    }
    return { status, headers: flattenHeaders(response.headers), body: await readBody(maxBytes, response) }
  } catch (error) {
    options.signal?.throwIfAborted()
    throw toEgressError(error)
  }
}

function problemOf(status: number, mustSucceed: boolean): 'redirect' | 'status' | undefined {
  if (status >= 300 && status < 400) return 'redirect'
  return mustSucceed && status >= 400 ? 'status' : undefined
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
