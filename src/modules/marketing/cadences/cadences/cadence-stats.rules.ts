import { type Counts, type ExitReason, exitReasons } from '../cadence-records/enrollment-states.rules.ts'

/** Rounded to four digits; null if nothing is counted. */
export const shareOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((Math.min(part, whole) / whole) * 10_000) / 10_000 : null

export function toEmailStats(counts: Counts, { track_opens }: { track_opens: boolean }) {
  const { sent = 0, bounced = 0, opened = 0, clicked = 0, replied = 0 } = counts
  const delivered = Math.max(0, sent - bounced)
  const { tasks_done = 0, tasks_skipped = 0 } = counts
  const tasks = { tasks_done, tasks_skipped }
  return { sent, delivered, opened: track_opens ? opened : null, clicked, replied, bounced, ...tasks }
}

export const toStepRates = ({ sent, delivered, replied, bounced }: ReturnType<typeof toEmailStats>) => ({
  reply_rate: shareOf(replied, delivered),
  bounce_rate: shareOf(bounced, sent),
})

export function toTotalRates(counts: Counts) {
  const { persons_delivered = 0, persons_replied = 0, exited_opted_out: opted_out = 0, sent = 0, bounced = 0 } = counts
  return {
    opted_out,
    persons_delivered,
    persons_replied,
    reply_rate: shareOf(persons_replied, persons_delivered),
    bounce_rate: shareOf(bounced, sent),
    opt_out_rate: shareOf(opted_out, persons_delivered),
  }
}

/** The totals that a list of cadences shows. */
export function toCadenceResults(counts: Counts) {
  const { reply_rate, bounce_rate, opt_out_rate } = toTotalRates(counts)
  return { sent: counts.sent ?? 0, reply_rate, bounce_rate, opt_out_rate }
}

export const toExitCounts = (counts: Counts): Record<ExitReason, number> =>
  Object.fromEntries(exitReasons.map((reason) => [reason, counts[`exited_${reason}`] ?? 0])) as Record<
    ExitReason,
    number
  >
