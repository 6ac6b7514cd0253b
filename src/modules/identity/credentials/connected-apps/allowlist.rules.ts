import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type InputError, invalidInput } from '#platform/errors'

type Problem = { code: string; message: string }
type ParsedRange = { range: string } | { problem: Problem }

/** Normalizes and deduplicates the networks. Reports all invalid entries together. */
export function parseAllowlist(entries: readonly string[]): string[] {
  const parsed = entries.map(parseRange)
  const errors = parsed.flatMap((entry, index): InputError[] =>
    'problem' in entry ? [{ in: 'body', path: `/ip_allowlist/${index}`, ...entry.problem }] : [],
  )
  if (errors.length) throw invalidInput(errors)
  return [...new Set(parsed.flatMap((entry) => ('range' in entry ? [entry.range] : [])))]
}

function parseRange(entry: string): ParsedRange {
  const [text = '', bitsText, ...rest] = entry.split('/')
  const isWellFormed =
    isIP(text) && !text.includes('%') && rest.length === 0 && /^(0|[1-9]\d{0,2})$/.test(bitsText ?? '1')
  if (!isWellFormed)
    return rejected(
      'format',
      `${entry} is not a valid network. Use CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32, or a single IP address.`,
    )

  const address = ipaddr.parse(text)
  const length = address.kind() === 'ipv4' ? 32 : 128
  const bits = bitsText === undefined ? length : Number(bitsText)
  if (address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress())
    return rejected('format', `${entry} is an IPv4-mapped IPv6 address. Write it as IPv4.`)
  if (bits > length) return rejected('format', `The prefix length of ${entry} must be between 1 and ${length}.`)
  if (bits === 0) return rejected('everybody', `${entry} matches every IP address. Leave the list empty to allow any.`)

  const network = networkAddressOf(address, bits)
  if (network !== formatAddress(address))
    return rejected(
      'host_bits',
      `${entry} has host bits set. Write ${network}/${bits} for the network, or ${formatAddress(address)}/${length} for the single address.`,
    )
  return { range: `${network}/${bits}` }
}

const rejected = (code: string, message: string): ParsedRange => ({ problem: { code, message } })

type Address = ipaddr.IPv4 | ipaddr.IPv6

const formatAddress = (address: Address): string =>
  address.kind() === 'ipv6' ? (address as ipaddr.IPv6).toRFC5952String() : address.toString()

function networkAddressOf(address: Address, bits: number): string {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8))
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return formatAddress(ipaddr.fromByteArray(bytes))
}
