import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import type { Config } from '#platform/config'
import { asEgressError, EgressError } from './egress-error.ts'
import { publicDns, type Resolve, systemDns } from './resolve.ts'
import { isPublicAddress } from './vet-address.ts'
import { assertUrl, literalIn } from './vet-url.ts'

export type RequestOptions = {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** From the first look at the name to the last byte of the answer. */
  timeoutMs?: number
  connectTimeoutMs?: number
  maxBytes?: number
  /** Any answer but 2xx is an error with the reason `status`. */
  mustSucceed?: boolean
  /** Ends it early, with the signal's own reason. */
  signal?: AbortSignal
}
export type Answer = { status: number; headers: Record<string, string>; body: Buffer }

export type Egress = {
  /** The only way to an address somebody gave us. Rejects with EgressError. */
  safeFetch(url: string, options?: RequestOptions): Promise<Answer>
  /** Resolves the name now, and rejects with EgressError if a request would be refused. Connects to nobody. */
  vetUrl(url: string): Promise<void>
}

type Target = { url: URL; addresses: string[] }
type Limits = { connectTimeoutMs: number; deadline: AbortSignal }
type EgressConfig = Pick<Config, 'APP_DOMAIN' | 'SAFE_FETCH_ALLOW_PRIVATE'>

export function openEgress({ config, resolve }: { config: EgressConfig; resolve?: Resolve }): Egress {
  const allowsPrivate = config.SAFE_FETCH_ALLOW_PRIVATE
  const resolveHost = resolve ?? (allowsPrivate ? systemDns : publicDns())

  async function vet(given: string, timeoutMs: number): Promise<Target> {
    const url = assertUrl(given, { ownDomain: config.APP_DOMAIN, allowsPrivate })
    const literal = literalIn(url)
    const addresses = literal ? [literal] : await resolveWithin(timeoutMs, () => resolveHost(url.hostname))
    // One bad address among good ones is enough: which of them is dialed would be left to chance.
    if (!allowsPrivate && !addresses.every(isPublicAddress)) throw new EgressError('blocked_address')
    return { url, addresses }
  }

  return {
    async safeFetch(url, options = {}) {
      const { timeoutMs = 15_000 } = options
      const connectTimeoutMs = Math.min(options.connectTimeoutMs ?? 5_000, timeoutMs)
      const limit = AbortSignal.timeout(timeoutMs)
      const deadline = options.signal ? AbortSignal.any([limit, options.signal]) : limit
      const target = await vet(url, connectTimeoutMs)
      return send({ ...target, connectTimeoutMs, deadline }, options)
    },
    async vetUrl(url) {
      await vet(url, 5_000)
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

async function send({ url, deadline, ...target }: Target & Limits, options: RequestOptions): Promise<Answer> {
  const { method = 'GET', headers = {}, body, maxBytes = 1_048_576, mustSucceed = false } = options
  const sent = headersFor(headers)
  const agent = pinnedTo(target.addresses, target.connectTimeoutMs)
  try {
    const answer = await request(url, {
      dispatcher: agent,
      signal: deadline,
      method,
      headers: sent,
      ...(body !== undefined && { body }),
    })
    const { statusCode: status } = answer
    if (status >= 300 && status < 400) throw new EgressError('redirect', { status })
    if (mustSucceed && status >= 400) throw new EgressError('status', { status })
    return { status, headers: flat(answer.headers), body: await readUpTo(maxBytes, answer) }
  } catch (error) {
    options.signal?.throwIfAborted()
    throw asEgressError(error)
  } finally {
    // Not awaited: it would wait for a handshake under way, past the deadline.
    agent.destroy().catch(() => {})
  }
}

/** One connection for one request. Whatever the name means by now, only the addresses that were vetted are dialed. */
function pinnedTo(addresses: string[], connectTimeoutMs: number): Agent {
  const vetted = addresses.map((address) => ({ address, family: isIP(address) }))
  const lookup: LookupFunction = (_hostname, { all }, done) =>
    all ? done(null, vetted) : done(null, vetted[0]?.address ?? '', vetted[0]?.family)
  return new Agent({
    connect: { lookup, timeout: connectTimeoutMs },
    connections: 1,
    allowH2: false,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
  })
}

function headersFor(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': 'Tributary', 'accept-encoding': 'identity' }
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value
  if ('host' in headers) throw new TypeError('The Host header follows from the address and cannot be set.')
  return headers
}

const flat = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]))

async function readUpTo(maxBytes: number, { statusCode: status, body }: Dispatcher.ResponseData): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new EgressError('too_large', { status })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
