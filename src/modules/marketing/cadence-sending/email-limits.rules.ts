import { addDays, dayInTimezone, startOfDay } from '#platform/calendar'
import { nextRunTime, type RunTimes } from '../cadence-runs/plan.rules.ts'

/** Emails that are counted on the days: of each sender, and of the workspace. */
export type SendCounter = {
  countOf(day: string, senderId: string): number
  totalOf(day: string): number
  add(day: string, senderId: string): void
}

export type SendLimits = { ofSender(senderId: string): number; total: number }

export function createSendCounter(
  senders: readonly { day: string; sender_id: string; emails: number }[],
  totals: ReadonlyMap<string, number>,
): SendCounter {
  const counts = new Map(senders.map(({ day, sender_id, emails }) => [`${day} ${sender_id}`, emails]))
  const sums = new Map(totals)
  return {
    countOf: (day, senderId) => counts.get(`${day} ${senderId}`) ?? 0,
    totalOf: (day) => sums.get(day) ?? 0,
    add(day, senderId) {
      counts.set(`${day} ${senderId}`, (counts.get(`${day} ${senderId}`) ?? 0) + 1)
      sums.set(day, (sums.get(day) ?? 0) + 1)
    },
  }
}

export const hasPlace = (counter: SendCounter, limits: SendLimits, day: string, senderId: string): boolean =>
  counter.countOf(day, senderId) < limits.ofSender(senderId) && counter.totalOf(day) < limits.total

export const maxDaysAhead = 366

type Place = { runAt: Date; day: string }

/**
 * Finds the first later time in the window on a day with a free place. `timezone` is that of the workspace, in which the days of the
 * limits begin. Without a free place within a year, the run waits until then without one.
 */
export function findLaterPlace(
  now: Date,
  { times, senderId, timezone }: { times: RunTimes; senderId: string; timezone: string },
  { counter, limits }: { counter: SendCounter; limits: SendLimits },
): Place | { runAt: Date; day: null } {
  const today = dayInTimezone(now, timezone)
  const last = addDays(today, maxDaysAhead)
  let from = addDays(today, 1)
  while (from <= last) {
    const runAt = nextRunTime(new Date(startOfDay(from, timezone)), times)
    const day = dayInTimezone(runAt, timezone)
    if (day <= last && hasPlace(counter, limits, day, senderId)) return { runAt, day }
    from = addDays(day, 1)
  }
  return { runAt: nextRunTime(new Date(startOfDay(last, timezone)), times), day: null }
}
