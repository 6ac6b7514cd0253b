import type { CohortCounts } from './usage-store.ts'

/** Active actors of a cohort in a period; the size of the cohort if the period is null. */
export type RetentionCell = { cohort: number; period: number | null; actors: number }

/** Cohort n has a count for each period from n to the last one. */
export function toCohorts(cells: readonly RetentionCell[], periods: number): CohortCounts[] {
  const cohorts = Array.from({ length: periods }, (_, cohort) => ({
    size: 0,
    counts: Array.from({ length: periods - cohort }, () => 0),
  }))
  for (const { cohort, period, actors } of cells) {
    if (period === null) cohorts[cohort]!.size = actors
    else if (period >= cohort) cohorts[cohort]!.counts[period - cohort] = actors
  }
  return cohorts
}
