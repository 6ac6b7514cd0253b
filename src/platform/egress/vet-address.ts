import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Whether an address belongs to the public internet, and to nothing that leads back inside. */
export function isPublicAddress(address: string): boolean {
  const canonical = isIP(address) === 6 ? canonicalIPv6(address) : address
  if (!isIP(canonical)) return false
  const meant = unwrap(ipaddr.parse(canonical))
  if (meant.range() !== 'unicast') return false
  return meant.kind() === 'ipv4' || meant.match(globalUnicast)
}

/** In hexadecimal: ipaddr.js would take the obsolete form ::8.8.8.8 for ::ffff:8.8.8.8. One with a zone is none. */
const canonicalIPv6 = (address: string): string => URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? ''

/** An IPv6 address may only be the envelope of an IPv4 one, and that is where the packet goes. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === 'ipv4') return address
  const wide = address as ipaddr.IPv6
  if (wide.isIPv4MappedAddress()) return wide.toIPv4Address()
  return wide.match(nat64) ? new ipaddr.IPv4(wide.toByteArray().slice(12)) : wide
}
