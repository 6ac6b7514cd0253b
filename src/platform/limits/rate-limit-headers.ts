import type { RateLimitResult } from './rate-limiter.ts'

export function rateLimitHeaders(results: RateLimitResult[]): Record<string, string> {
  const active = results.filter(({ policy }) => policy !== null)
  if (active.length === 0) return {}
  const waits = active.filter(({ allowed }) => !allowed).map(({ resetSeconds }) => Math.max(1, resetSeconds))
  return {
    'ratelimit-policy': active.map(({ policy }) => policy).join(', '),
    ratelimit: active
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(', '),
    ...(waits.length > 0 && { 'retry-after': String(Math.max(...waits)) }),
  }
}
