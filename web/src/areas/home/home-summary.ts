import { homeTexts } from '../../texts/en/home-texts.ts'
import { formatNumber } from '../../ui/format.ts'
import type { Home } from './home-queries.ts'

export const greetingAt = (hour: number): string => {
  const { morning, afternoon, evening } = homeTexts.greetings
  if (hour >= 4 && hour < 12) return morning
  return hour >= 12 && hour < 18 ? afternoon : evening
}

/** The API lists at most this many deals. */
const maxListedDeals = 6

/** Says in at most three sentences what waits for the user. */
export function summarizeHome({ leads, tasks, deals }: Pick<Home, 'leads' | 'tasks' | 'deals'>): string {
  const { awaiting_first_response: awaiting = 0, breached = 0 } = leads ?? {}
  const due = tasks?.due_today ?? 0
  const closing = deals?.items.length ?? 0
  const sentences = [
    awaiting > 0
      ? homeTexts.awaiting(awaiting, Math.min(breached, awaiting))
      : breached > 0 && homeTexts.late(breached),
    due > 0 && homeTexts.tasksDue(due),
    closing > 0 && homeTexts.closing(closing, closing >= maxListedDeals),
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? sentences.join(' ') : homeTexts.nothingWaits
}

/** Says what happened to the campaigns and cadences of the user. */
export function summarizeAudience({ campaigns, cadences }: NonNullable<Home['audience']>, locale: string): string {
  const responded = campaigns.reduce((sum, { responded_7d: count }) => sum + count, 0)
  const paused = cadences.filter(({ paused_reason: reason }) => reason !== null).length
  return [
    paused > 0 && homeTexts.cadencesPaused(paused),
    campaigns.length > 0 && homeTexts.respondedThisWeek(responded, formatNumber(responded, locale)),
  ]
    .filter(Boolean)
    .join(' ')
}

export type Trend = { text: string; tone: 'better' | 'worse' | 'neutral' }

export function compareMedians(current: number | null, previous: number | null): Trend {
  if (current === null) return { text: homeTexts.noMedian, tone: 'neutral' }
  if (!previous) return { text: homeTexts.firstMedian, tone: 'neutral' }
  const percent = Math.round((1 - current / previous) * 100)
  if (percent > 0) return { text: homeTexts.faster(percent), tone: 'better' }
  if (percent < 0) return { text: homeTexts.slower(-percent), tone: 'worse' }
  return { text: homeTexts.same, tone: 'neutral' }
}

export type Money = { amount: string; currency: string }

export function sumOpen({ commit, best_case, pipeline }: Record<'commit' | 'best_case' | 'pipeline', Money>): Money {
  const amount = [commit, best_case, pipeline].reduce((sum, one) => sum + Number(one.amount), 0)
  return { amount: amount.toFixed(2), currency: commit.currency }
}

/** The weeks until the fiscal quarter ends, counting the current one. */
export function weeksLeftInQuarter(today: string, fiscalStartMonth: number): number {
  const [year, month] = today.split('-').map(Number) as [number, number]
  const monthsIntoQuarter = (month - fiscalStartMonth + 12) % 3
  const end = Date.UTC(year, month + 2 - monthsIntoQuarter, 1)
  return Math.max(1, Math.ceil((end - Date.parse(today)) / (7 * 86_400_000)))
}
