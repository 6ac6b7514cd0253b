import { isInternetDomain } from '#modules/crm'
import { trimEndOf } from '#platform/text'

export type OwnDomains = readonly string[]

const wordPattern = /[^\s<>()[\]{}"'`,;|]+/g
/** Full stops of Chinese and Japanese texts, which browsers accept in host names. */
const fullStopPattern = /[。．｡]/g
const hostPattern = /(?<![@\p{L}\p{N}.-])[\p{L}\p{N}][\p{L}\p{N}.-]*(?=[^@\p{L}\p{N}.-]|$)/gu

/** Finds the first link to another domain, also one without a scheme, because mail programs make links of these. */
export function findForeignLink(text: string, own: OwnDomains): string | undefined {
  for (const [found] of text.matchAll(wordPattern)) {
    const word = found.replace(fullStopPattern, '.')
    const scheme = word.indexOf('://')
    const [before, url] = scheme < 0 ? [word, undefined] : [word.slice(0, scheme), `https${word.slice(scheme)}`]
    const host = findHost(before) ?? (url === undefined ? undefined : (URL.parse(url)?.hostname ?? url))
    if (host !== undefined && !isOwn(host, own)) return found
  }
  return undefined
}

const isOwn = (host: string, own: OwnDomains): boolean =>
  own.some((domain) => host === domain || host.endsWith(`.${domain}`))

/** Returns the host that a mail program would link. The first one counts, because what follows it is its path. */
function findHost(word: string): string | undefined {
  for (const [found] of word.matchAll(hostPattern)) {
    const host = URL.parse(`https://${trimEndOf(found, /[.-]/)}`)?.hostname
    if (host && (host.startsWith('www.') || isInternetDomain(host))) return host
  }
  return undefined
}

export type SenderFields = { from_name: string | null; reply_to: string | null }
export type SenderField = keyof SenderFields

export type AllowedSenders = {
  names: readonly (string | null | undefined)[]
  addresses: readonly (string | null | undefined)[]
}

/** Lists the fields with a value that neither the workspace nor the owner has and no manager has allowed. */
export function listUnapproved({ from_name, reply_to }: SenderFields, allowed: AllowedSenders): SenderField[] {
  const isKnown = (value: string, known: readonly (string | null | undefined)[]) =>
    known.some((one) => one?.trim().toLowerCase() === value.trim().toLowerCase())
  return [
    ...(from_name !== null && !isKnown(from_name, allowed.names) ? ['from_name' as const] : []),
    ...(reply_to !== null && !isKnown(reply_to, allowed.addresses) ? ['reply_to' as const] : []),
  ]
}
