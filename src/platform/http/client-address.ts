import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** X-Forwarded-For is read only when it comes from a proxy we trust; then from the right, to the first hop we do not. */
export function addressReader(trustedProxies: string): (request: IncomingMessage) => string {
  const trusted = trustedProxies
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(readRange)
  const isTrusted = (address: ipaddr.IPv4 | ipaddr.IPv6) =>
    trusted.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

  return ({ socket, headers }) => {
    let address = ipaddr.isValid(socket.remoteAddress ?? '') ? ipaddr.process(socket.remoteAddress!) : undefined
    if (!address) return '0.0.0.0'
    const hops = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .map((hop) => hop.trim())
    while (isTrusted(address)) {
      const hop = hops.pop()
      if (!hop || !ipaddr.isValid(hop)) break
      address = ipaddr.process(hop)
    }
    // PostgreSQL knows no zones, as in fe80::1%eth0.
    return address.toString().replace(/%.*$/, '')
  }
}

function readRange(entry: string): Range {
  const range = ipaddr.isValid(entry) ? single(entry) : ipaddr.parseCIDR(entry)
  if (range[1] === 0) throw new Error(`TRUSTED_PROXIES must not trust everybody: ${entry}`)
  if (range[0].kind() === 'ipv6' && (range[0] as ipaddr.IPv6).isIPv4MappedAddress())
    throw new Error(`TRUSTED_PROXIES must name IPv4 ranges as IPv4: ${entry}`)
  return range
}

function single(entry: string): Range {
  const address = ipaddr.parse(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
