import { invalid } from '#platform/errors'
import type { EventError, SentEvent } from './event.rules.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** Milliseconds by which the clock of the sender is slow. Small differences are the time that the request took. */
export function clockShiftOf(sentAt: string | undefined, receivedAt: Date): number {
  if (sentAt === undefined) return 0
  const difference = receivedAt.getTime() - Date.parse(sentAt)
  if (Math.abs(difference) > dayMs)
    throw invalid(
      'body',
      '/sent_at',
      'range',
      '`sent_at` must not differ from the time of receipt by more than 24 hours.',
    )
  return Math.abs(difference) > minuteMs ? difference : 0
}

type Receipt = { receivedAt: Date; shiftMs: number; acceptPastDays: number }

export function placeEvent(
  { index, event_id, occurred_at }: Pick<SentEvent, 'index' | 'event_id' | 'occurred_at'>,
  { receivedAt, shiftMs, acceptPastDays }: Receipt,
): number | EventError {
  const received = receivedAt.getTime()
  const time = occurred_at + shiftMs
  const reject = (code: string, message: string) => ({ index, event_id, path: '/occurred_at', code, message })
  if (time > received + hourMs)
    return reject('occurred_at_future', '`occurred_at` must not be more than an hour after the time of receipt.')
  if (time < received - acceptPastDays * dayMs)
    return reject('occurred_at_too_old', `\`occurred_at\` must not be more than ${acceptPastDays} days ago.`)
  return Math.min(time, received)
}
