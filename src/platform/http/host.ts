export type Host = { kind: 'tenant'; slug: string } | { kind: 'main' } | { kind: 'other' }

const label = /^[a-z0-9-]{1,63}$/

/** Takes the raw Host header only; X-Forwarded-Host is not trusted. */
export function readHost(header: string | undefined, domain: string): Host {
  const host = (header ?? '')
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '')
  if (host === domain) return { kind: 'main' }
  if (!host.endsWith(`.${domain}`)) return { kind: 'other' }
  const slug = host.slice(0, -domain.length - 1)
  return label.test(slug) ? { kind: 'tenant', slug } : { kind: 'other' }
}
