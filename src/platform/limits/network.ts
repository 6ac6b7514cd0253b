import ipaddr from 'ipaddr.js'

/** Rate-limit key of an IP address: IPv4 as is, IPv6 as its /64 network, because one customer owns all of it. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}

/** Wider network of an IP address: the /24 of IPv4, the /48 of IPv6, which one site usually owns. */
export function networkPrefixOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6
    ? `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`)}/48`
    : `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`
}
