import type { Readable } from 'node:stream'
import { AppError } from '#platform/errors'

const minimumBytesPerSecond = 8 * 1_024
const windowSeconds = 10

const uploadTooSlow = () =>
  new AppError(
    408,
    'upload_too_slow',
    `The body must arrive with at least ${minimumBytesPerSecond / 1_024} KiB per second.`,
  )

/**
 * Calls `onSlow` once a client has sent less than the minimum in a window, because a slow upload holds a slot that others
 * wait for. Seconds in which the server itself does not read do not count. Returns a function that ends the watch.
 */
export function watchTransferRate(body: Readable, onSlow: (error: AppError) => void): () => void {
  let [received, seconds] = [0, 0]
  const onData = (chunk: Buffer) => {
    received += chunk.length
  }
  body.on('data', onData)
  const timer = setInterval(() => {
    if (body.isPaused() || ++seconds < windowSeconds) return
    if (received < windowSeconds * minimumBytesPerSecond) onSlow(uploadTooSlow())
    received = seconds = 0
  }, 1_000)
  return () => {
    clearInterval(timer)
    body.off('data', onData)
  }
}
