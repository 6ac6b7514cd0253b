import type { Taken } from './limits.ts'

/** RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers, and Retry-After if something was refused. */
export function limitHeaders(results: Taken[]): Record<string, string> {
  const told = results.filter(({ policy }) => policy !== null)
  if (told.length === 0) return {}
  const waits = told.filter(({ allowed }) => !allowed).map(({ resetSeconds }) => Math.max(1, resetSeconds))
  return {
    'ratelimit-policy': told.map(({ policy }) => policy).join(', '),
    ratelimit: told.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`).join(', '),
    ...(waits.length > 0 && { 'retry-after': String(Math.max(...waits)) }),
  }
}
