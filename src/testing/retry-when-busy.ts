import { setTimeout as sleep } from 'node:timers/promises'

const maxAttempts = 100
const maxDelayMs = 2_000

/** Repeats a request that a busy server rejected, with growing random delays as clients should. */
export async function retryWhenBusy<T>(send: () => Promise<T>, onRetry: () => void = () => {}): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const response = await send()
    if (!isBusy(response) || attempt === maxAttempts) return response
    onRetry()
    await sleep(Math.random() * Math.min(maxDelayMs, 100 * 2 ** attempt))
  }
}

function isBusy(response: unknown): boolean {
  const { status, body } = (response ?? {}) as { status?: number; body?: { code?: string } }
  return status === 503 || (status === 429 && body?.code === 'rate_limited')
}
