import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { unauthenticated } from '#platform/errors'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

export type ClientAddresses = ReturnType<typeof createClientAddresses>

/** Reads X-Forwarded-For only from trusted proxies: from the right, up to the first hop that is not trusted. */
export function createClientAddresses(trustedProxies: string) {
  const trustedRanges = trustedProxies
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(parseRange)
  const isTrusted = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
    trustedRanges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

  const lastIps = new WeakMap<IncomingMessage['socket'], { forwardedFor: string; ip: string }>()

  /** Parses again only if the header differs from that of the previous request on the connection. */
  function ipOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const forwardedFor = String(headers['x-forwarded-for'] ?? '')
    const last = lastIps.get(socket)
    if (last?.forwardedFor === forwardedFor) return last.ip
    const ip = parseIp(socket, forwardedFor)
    lastIps.set(socket, { forwardedFor, ip })
    return ip
  }

  function parseIp(socket: IncomingMessage['socket'], forwardedFor: string): string {
    let address = peerOf(socket)
    if (!address) return '0.0.0.0'
    const hops = forwardedFor.split(',').map((hop) => hop.trim())
    while (isTrusted(address)) {
      const hop = hops.pop()
      if (!hop || !ipaddr.isValid(hop)) break
      address = ipaddr.process(hop)
    }
    // PostgreSQL does not accept zone ids such as fe80::1%eth0.
    return address.toString().split('%')[0]!
  }

  function isProxied({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
    const peer = peerOf(socket)
    return peer !== undefined && isTrusted(peer)
  }

  return { ipOf, isProxied }
}

const peerOf = ({ remoteAddress }: Pick<IncomingMessage['socket'], 'remoteAddress'>) =>
  remoteAddress && ipaddr.isValid(remoteAddress) ? ipaddr.process(remoteAddress) : undefined

function parseRange(entry: string): Range {
  const range = ipaddr.isValid(entry) ? singleIpRange(entry) : ipaddr.parseCIDR(entry)
  if (range[1] === 0) throw new Error(`TRUSTED_PROXIES must not contain every IP address: ${entry}`)
  if (range[0].kind() === 'ipv6' && (range[0] as ipaddr.IPv6).isIPv4MappedAddress())
    throw new Error(`TRUSTED_PROXIES must contain IPv4 ranges in IPv4 notation: ${entry}`)
  return range
}

function singleIpRange(entry: string): Range {
  const address = ipaddr.parse(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

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
