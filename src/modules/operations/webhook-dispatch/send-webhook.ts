import type { Clock } from '#platform/clock'
import { type Egress, EgressError, type EgressReason, type EgressResponse } from '#platform/egress'
import { parseRetryAfter } from './delivery.rules.ts'
import { signRequest } from './signature.rules.ts'

export type WebhookRequest = { url: string; secrets: readonly string[]; eventId: string; body: string }

/** Never contains the body of the response, which could be that of a private server. */
export type AttemptOutcome = {
  started_at: Date
  ended_at: Date
  duration_ms: number
  status: number | null
  error: EgressReason | null
  retryAfterSeconds: number | null
}

const settings = { timeoutMs: 15_000, connectTimeoutMs: 5_000, maxBytes: 16_384, keepAlive: true }
const isSuccess = (status: number): boolean => status >= 200 && status < 300

export type SendServices = { egress: Egress; clock: Clock }

/** Sends one request. Rejects only if `signal` is aborted. */
export async function sendWebhook(
  { egress, clock }: SendServices,
  { url, secrets, eventId, body }: WebhookRequest,
  signal?: AbortSignal,
): Promise<AttemptOutcome> {
  const started_at = clock.now()
  const startedMs = performance.now()
  const timestamp = Math.floor(started_at.getTime() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tributary-Webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signRequest(secrets, { id: eventId, timestamp, body }),
  }
  const request = egress.safeFetch(url, { method: 'POST', headers, body, ...settings, ...(signal && { signal }) })
  const response = await request.catch((error: unknown) => {
    if (!(error instanceof EgressError)) throw error
    return error
  })
  const ended_at = clock.now()
  return {
    started_at,
    ended_at,
    duration_ms: Math.round(performance.now() - startedMs),
    ...toOutcome(response, ended_at),
  }
}

type Response = Pick<EgressResponse, 'status' | 'headers'> | EgressError

function toOutcome(response: Response, now: Date): Pick<AttemptOutcome, 'status' | 'error' | 'retryAfterSeconds'> {
  const { status } = response
  const reason = response instanceof EgressError ? response.reason : null
  // The rest of a long response is not read, but its status is known.
  if (status === null || (reason !== null && reason !== 'too_large'))
    return { status, error: reason ?? 'status', retryAfterSeconds: null }
  const mayRetryLater = status === 429 || status === 503
  const header = 'headers' in response && mayRetryLater ? response.headers['retry-after'] : undefined
  return { status, error: isSuccess(status) ? null : 'status', retryAfterSeconds: parseRetryAfter(header, now) }
}
