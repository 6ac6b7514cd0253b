import ipaddr from 'ipaddr.js'

/** What counts as one caller: an IPv4 address, or the /64 an IPv6 customer has to itself and could otherwise walk through. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}
