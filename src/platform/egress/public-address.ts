import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

export function isPublicAddress(address: string): boolean {
  const canonical = isIP(address) === 6 ? canonicalIPv6(address) : address
  if (!isIP(canonical)) return false
  const effective = embeddedIPv4Or(ipaddr.parse(canonical))
  if (effective.range() !== 'unicast') return false
  return effective.kind() === 'ipv4' || effective.match(globalUnicast)
}

/** Normalizes to hexadecimal, because ipaddr.js parses the obsolete ::8.8.8.8 as ::ffff:8.8.8.8. Returns '' for an address with a zone. */
const canonicalIPv6 = (address: string): string => URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? ''

/** Returns the IPv4 address embedded in an IPv4-mapped or NAT64 address, because packets are sent to that one. */
function embeddedIPv4Or(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === 'ipv4') return address
  const ipv6 = address as ipaddr.IPv6
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address()
  return ipv6.match(nat64) ? new ipaddr.IPv4(ipv6.toByteArray().slice(12)) : ipv6
}
