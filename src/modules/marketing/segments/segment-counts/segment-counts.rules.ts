import type { RecordRule } from '#modules/crm'
import { leavesOf } from '#platform/rules'

const hour = 3_600_000
const shortestPause = 6 * hour
const longestPause = 24 * hour
/** A segment is counted during at most this part of the time. */
const share = 1 / 10_000

/** Returns when an unchanged segment is counted again: the longer the count took, the later. */
export function nextCountAt(now: Date, durationMs: number): Date {
  const pause = Math.min(Math.max(durationMs / share, shortestPause), longestPause)
  return new Date(now.getTime() + pause)
}

/** The members of such a segment differ from user to user. */
export const dependsOnUser = ({ rule }: RecordRule): boolean =>
  leavesOf(rule).some((leaf) => leaf.kind === 'field' && leaf.predicate.type === 'is_me')
