/** Whom a Host header means. */
export type Host = { kind: 'tenant'; slug: string } | { kind: 'main' } | { kind: 'other' }

const label = /^[a-z0-9-]{1,63}$/

/** Read from the raw header and nothing else: what a proxy adds about hosts is not believed. */
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
