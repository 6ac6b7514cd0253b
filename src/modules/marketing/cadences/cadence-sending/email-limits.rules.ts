import { addDays, startOfDay } from '#platform/calendar'
import { nextRunTime, type RunTimes } from '../cadence-runs/plan.rules.ts'

type FreePlaces = {
  remaining: number
  leftOf(senderId: string): number
}

export function chooseEmailsOfToday<T>(
  emails: readonly T[],
  senderOf: (email: T) => string,
  { remaining, leftOf }: FreePlaces,
): { chosen: T[]; others: T[]; counts: ReadonlyMap<string, number> } {
  const chosen: T[] = []
  const others: T[] = []
  const counts = new Map<string, number>()
  for (const email of emails) {
    const senderId = senderOf(email)
    const count = counts.get(senderId) ?? 0
    if (chosen.length >= remaining || count >= leftOf(senderId)) {
      others.push(email)
      continue
    }
    chosen.push(email)
    counts.set(senderId, count + 1)
  }
  return { chosen, others, counts }
}

/** Returns the first time inside the window after the day of the limits. `timezone` is that of the workspace, in which this day ends. */
export const nextDayRunTime = (day: string, timezone: string, times: RunTimes): Date =>
  nextRunTime(new Date(startOfDay(addDays(day, 1), timezone)), times)

const minSent = 100
const maxBouncedPercent = 5

export const areTooManyBounces = (sent: number, bounced: number): boolean =>
  sent >= minSent && bounced * 100 > sent * maxBouncedPercent
