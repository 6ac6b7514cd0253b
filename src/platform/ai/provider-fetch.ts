import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '#platform/access'
import type { Egress, EgressRequestOptions, EgressResponse } from '#platform/egress'
import { rateLimited } from '#platform/errors'
import { buckets, type RateLimiter, rateLimitHeaders } from '#platform/limits'

export type ProviderCallLimits = { egress: Egress; endsAt: number; signal?: AbortSignal }

type ProviderPost = Pick<EgressRequestOptions, 'headers' | 'body' | 'maxBytes'>

const maxBytes = 1_048_576
const defaultRetryDelayMs = 500

export const createProviderFetch =
  (limits: ProviderCallLimits): typeof fetch =>
  async (url, { headers, body } = {}) => {
    const { 'user-agent': _, ...requestHeaders } = Object.fromEntries(new Headers(headers))
    return toResponse(await postToProvider(String(url), { headers: requestHeaders, body: String(body) }, limits))
  }

/** Retries 429 and 5xx once after `retry-after`, unless that is past the deadline. */
export async function postToProvider(
  url: string,
  post: ProviderPost,
  { egress, endsAt, signal }: ProviderCallLimits,
): Promise<EgressResponse> {
  const remainingMs = () => endsAt - performance.now()
  const send = () =>
    egress.safeFetch(url, {
      maxBytes,
      ...post,
      method: 'POST',
      timeoutMs: Math.max(1, Math.ceil(remainingMs())),
      ...(signal && { signal }),
    })

  const first = await send()
  if (!isTransient(first)) return first
  const delayMs = retryDelayMs(first)
  if (delayMs >= remainingMs()) return first
  await sleep(delayMs, undefined, { signal })
  return await send()
}

const isTransient = ({ status }: EgressResponse): boolean => status === 429 || status >= 500

function retryDelayMs({ headers }: EgressResponse): number {
  const retryAfter = headers['retry-after']
  if (!retryAfter) return defaultRetryDelayMs
  const ms = /^\d+(\.\d+)?$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? defaultRetryDelayMs : Math.max(0, ms)
}

const toResponse = ({ status, body }: EgressResponse): Response =>
  new Response(body.length ? new Uint8Array(body) : null, { status })

/** Limits users per minute, whether the model or the rules answer. Jobs are limited by the token budget only. */
export async function assertUnderRateLimit(limits: RateLimiter, { tenantId, userId }: Actor): Promise<void> {
  if (!userId) return
  const taken = await limits.take({ ...buckets.ai, key: `${tenantId}:${userId}` })
  if (taken.allowed) return
  throw rateLimited(
    taken.resetSeconds,
    (wait) => `Too many model requests. Try again in ${wait}.`,
    rateLimitHeaders([taken]),
  )
}
