import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type InputError, invalidInput } from '#platform/errors'

type Problem = { code: string; message: string }
type Read = { range: string } | { problem: Problem }

/** Each network in its one spelling, named once. Everything that is wrong with the list is told at once. */
export function readAllowlist(entries: readonly string[]): string[] {
  const read = entries.map(readRange)
  const errors = read.flatMap((entry, index): InputError[] =>
    'problem' in entry ? [{ in: 'body', path: `/ip_allowlist/${index}`, ...entry.problem }] : [],
  )
  if (errors.length) throw invalidInput(errors)
  return [...new Set(read.flatMap((entry) => ('range' in entry ? [entry.range] : [])))]
}

function readRange(entry: string): Read {
  const [text = '', bitsText, ...rest] = entry.split('/')
  const isWellFormed =
    isIP(text) && !text.includes('%') && rest.length === 0 && /^(0|[1-9]\d{0,2})$/.test(bitsText ?? '1')
  if (!isWellFormed)
    return refused('format', `${entry} is no network. Write one like 203.0.113.0/24 or 2001:db8::/32, or one address.`)

  const address = ipaddr.parse(text)
  const length = address.kind() === 'ipv4' ? 32 : 128
  const bits = bitsText === undefined ? length : Number(bitsText)
  if (address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress())
    return refused('format', `${entry} is an IPv4 address in the clothes of IPv6. Write it as IPv4.`)
  if (bits > length) return refused('format', `${entry} cannot be: after the / stands a number from 1 to ${length}.`)
  if (bits === 0) return refused('everybody', `${entry} is every address there is. Leave the list empty to allow any.`)

  const network = networkOf(address, bits)
  if (network !== textOf(address))
    return refused(
      'host_bits',
      `${entry} is an address inside a network. Write ${network}/${bits} for the network, or ${textOf(address)}/${length} for the one address.`,
    )
  return { range: `${network}/${bits}` }
}

const refused = (code: string, message: string): Read => ({ problem: { code, message } })

type Address = ipaddr.IPv4 | ipaddr.IPv6

const textOf = (address: Address): string =>
  address.kind() === 'ipv6' ? (address as ipaddr.IPv6).toRFC5952String() : address.toString()

function networkOf(address: Address, bits: number): string {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8))
    return byte & (0xff << (8 - kept)) & 0xff
  })
  return textOf(ipaddr.fromByteArray(bytes))
}
