import { daysLater, secondsLater } from '#platform/clock'
import { nextAttemptAt } from '../webhook-dispatch/delivery.rules.ts'

type Attempt = { number: number; started_at: Date; duration_ms: number; status: number; error: 'status' | null }

export type PlannedDelivery = { type: string; subject: string; changed: string[]; at: Date; attempts: Attempt[] }

const events = [
  { type: 'lead.updated', subject: 'lead:1', changed: ['phone'] },
  { type: 'contact.updated', subject: 'contact:griffin', changed: ['title'] },
  { type: 'account.updated', subject: 'account:falconridge', changed: ['industry'] },
] as const
const count = 24
const intervalDays = 0.25
/** The last retry comes after more than three days. */
const failed = [16, 21]
const retried = [5, 11]

/** Deliveries of the last week: two failed and two succeeded at the second attempt. */
export const planDeliveries = (now: Date): PlannedDelivery[] =>
  Array.from({ length: count }, (_, index) => {
    const { changed, ...event } = events[index % events.length]!
    const at = daysLater(now, -intervalDays * (index + 1))
    return { ...event, changed: [...changed], at, attempts: planAttempts(at, index) }
  })

function planAttempts(createdAt: Date, index: number): Attempt[] {
  const attempts: Attempt[] = []
  let at: Date | null = secondsLater(createdAt, 1)
  while (at) {
    const number = attempts.length + 1
    const isFailure = failed.includes(index) || (retried.includes(index) && number === 1)
    const [status, error] = isFailure ? [503, 'status' as const] : [200, null]
    attempts.push({ number, started_at: at, duration_ms: 120 + ((index * 37 + number * 53) % 400), status, error })
    at = isFailure ? nextAttemptAt(number, { now: at, random: () => 0.5 }) : null
  }
  return attempts
}
