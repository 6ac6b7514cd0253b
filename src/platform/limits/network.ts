import ipaddr from 'ipaddr.js'

/** Rate-limit key of an IP address: IPv4 as is, IPv6 as its /64 network, because one customer owns all of it. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${prefix.join(':')}::/64`
}
