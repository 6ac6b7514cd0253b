import { daysLater } from '#platform/clock'

const dayMs = 86_400_000

type Review = { last_reviewed_at: Date | null; review_interval_days: number }

/** Halves with every review interval since the last review. */
export function freshnessScore({ last_reviewed_at, review_interval_days }: Review, now: Date): number | null {
  if (!last_reviewed_at) return null
  const days = Math.max(0, now.getTime() - last_reviewed_at.getTime()) / dayMs
  return Math.round(1_000 * 0.5 ** (days / review_interval_days)) / 10
}

/** The next review is due when the freshness score falls below 50, or at once if a reviewer asked for an update. */
export const isStale = ({ next_review_at }: { next_review_at: Date | null }, now: Date): boolean =>
  next_review_at !== null && next_review_at < now

export const nextReviewAt = ({ last_reviewed_at, review_interval_days }: Review): Date | null =>
  last_reviewed_at && daysLater(last_reviewed_at, review_interval_days)

const firstNoticeDays = -14
const noticeIntervalDays = 7
const managerNoticeDays = 30

type ReviewNotice = { daysOverdue: number; includesManagers: boolean }

/** Notices are due 14 days before the review, on its day, and every week after it. Returns a due notice that was not sent. */
export function findReviewNotice(nextReview: Date, notifiedAt: Date | null, now: Date): ReviewNotice | undefined {
  const daysOverdue = Math.floor((now.getTime() - nextReview.getTime()) / dayMs)
  if (daysOverdue < firstNoticeDays) return undefined
  const lastDueDay = daysOverdue < 0 ? firstNoticeDays : daysOverdue - (daysOverdue % noticeIntervalDays)
  if (notifiedAt && notifiedAt >= daysLater(nextReview, lastDueDay)) return undefined
  return { daysOverdue, includesManagers: daysOverdue >= managerNoticeDays }
}
