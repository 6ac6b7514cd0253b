import { setTimeout as sleep } from 'node:timers/promises'
import type { Egress, EgressResponse } from '#platform/egress'

type ProviderFetchOptions = { egress: Egress; endsAt: number; signal: AbortSignal }

const maxBytes = 1_048_576
const defaultRetryDelayMs = 500

/** Creates the fetch function of the provider SDKs. Retries 429 and 5xx once after `retry-after`, unless that is past the deadline. */
export const createProviderFetch = ({ egress, endsAt, signal }: ProviderFetchOptions): typeof fetch => {
  const remainingMs = () => endsAt - performance.now()
  return async (url, { headers, body } = {}) => {
    const { 'user-agent': _, ...requestHeaders } = Object.fromEntries(new Headers(headers))
    const send = () =>
      egress.safeFetch(String(url), {
        method: 'POST',
        headers: requestHeaders,
        body: String(body),
        timeoutMs: Math.max(1, Math.ceil(remainingMs())),
        maxBytes,
        signal,
      })

    const first = await send()
    if (!isTransient(first)) return toResponse(first)
    const delayMs = retryDelayMs(first)
    if (delayMs >= remainingMs()) return toResponse(first)
    await sleep(delayMs, undefined, { signal })
    return toResponse(await send())
  }
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
