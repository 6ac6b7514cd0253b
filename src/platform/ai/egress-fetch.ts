import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Egress } from '#platform/egress'

/** `endsAt` is a reading of `performance.now()`. */
type Way = { egress: Egress; endsAt: number; signal: AbortSignal }

const maxBytes = 1_048_576
const pauseMs = 500

/**
 * How the libraries of the providers reach the network. What passes by itself (429, 5xx) is tried once more, when the server wants
 * that and while there is time for it; one that asks for more patience than there is need not be waited for.
 */
export const fetchThrough = ({ egress, endsAt, signal }: Way): typeof fetch => {
  const left = () => endsAt - performance.now()
  return async (url, { headers, body } = {}) => {
    const { 'user-agent': _, ...sent } = Object.fromEntries(new Headers(headers))
    const send = () =>
      egress.safeFetch(String(url), {
        method: 'POST',
        headers: sent,
        body: String(body),
        timeoutMs: Math.max(1, Math.ceil(left())),
        maxBytes,
        signal,
      })

    const first = await send()
    if (!isPassing(first)) return response(first)
    const pause = pauseBefore(first)
    if (pause >= left()) return response(first)
    await sleep(pause, undefined, { signal })
    return response(await send())
  }
}

const isPassing = ({ status }: Answer): boolean => status === 429 || status >= 500

function pauseBefore({ headers }: Answer): number {
  const wanted = headers['retry-after']
  if (!wanted) return pauseMs
  const ms = /^\d+(\.\d+)?$/.test(wanted) ? Number(wanted) * 1_000 : Date.parse(wanted) - Date.now()
  return Number.isNaN(ms) ? pauseMs : Math.max(0, ms)
}

/** None of the server's headers is of use to anyone from here on. */
const response = ({ status, body }: Answer): Response =>
  new Response(body.length ? new Uint8Array(body) : null, { status })
