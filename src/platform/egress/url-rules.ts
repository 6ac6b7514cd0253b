import { isIP } from 'node:net'
import { EgressError } from './egress-error.ts'

export type UrlRules = {
  /** Requests to this domain and its subdomains are blocked, because they would come from inside our network. */
  ownDomain: string
  /** Development only: http, IP addresses, names without a dot, any port. */
  allowsPrivate: boolean
}

const allowedPorts = ['', '443', '8443']

export function parseAllowedUrl(url: string, { ownDomain, allowsPrivate }: UrlRules): URL {
  const parsed = parse(url)
  if (parsed.protocol !== 'https:' && !(allowsPrivate && parsed.protocol === 'http:'))
    throw invalidUrl('The URL must begin with https://')
  if (parsed.username || parsed.password) throw invalidUrl('The URL must not contain a user name or password.')
  assertHost(parsed.hostname, ownDomain)
  if (allowsPrivate) return parsed

  if (!allowedPorts.includes(parsed.port)) throw invalidUrl('The URL may use port 443 or 8443 only.')
  if (ipLiteralOf(parsed))
    throw new EgressError('blocked_address', { message: 'Use a host name instead of an IP address.' })
  if (!parsed.hostname.includes('.')) throw invalidUrl('The URL needs a full host name, such as hooks.example.com.')
  return parsed
}

export function ipLiteralOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) ? host : undefined
}

function parse(url: string): URL {
  // Reject characters that the URL parser would silently drop or rewrite.
  if (url.length > 2_048 || /[\s\p{Cc}\\]/u.test(url)) throw new EgressError('invalid_url')
  const parsed = URL.parse(url)
  if (!parsed?.hostname) throw new EgressError('invalid_url')
  return parsed
}

function assertHost(hostname: string, ownDomain: string): void {
  if (hostname.endsWith('.')) throw invalidUrl('The host name must not end with a dot.')
  if (hostname === ownDomain || hostname.endsWith(`.${ownDomain}`))
    throw new EgressError('blocked_address', { message: 'The URL belongs to this service itself.' })
}

const invalidUrl = (message: string) => new EgressError('invalid_url', { message })
