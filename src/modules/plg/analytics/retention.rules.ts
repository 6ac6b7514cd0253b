import type { DateRange } from '#platform/calendar'
import { invalid } from '#platform/errors'
import type { Granularity } from '../usage-store/periods.rules.ts'
import type { CohortCounts } from '../usage-store/usage-store.ts'
import { rateOf } from './dashboard.rules.ts'
import type { UsageRetention } from './retention.schemas.ts'

const maxPeriods: Record<Granularity, number> = { day: 31, week: 26, month: 24 }

export function assertPeriods(granularity: Granularity, periods: number): void {
  if (periods > maxPeriods[granularity])
    throw invalid(
      'query',
      '/periods',
      'maximum',
      `\`periods\` must be at most ${maxPeriods[granularity]} with the granularity \`${granularity}\`.`,
    )
}

export const toCohortCells = (
  periods: readonly DateRange[],
  counts: readonly CohortCounts[],
  today: string,
): UsageRetention['cohorts'] =>
  counts.map(({ size, counts: cells }, index) => ({
    start_on: periods[index]!.from,
    size,
    cells: cells.map((count, offset) => ({
      offset,
      count,
      rate: rateOf(count, size),
      complete: periods[index + offset]!.to < today,
    })),
  }))

/** Weighted by the sizes of the cohorts whose period is over. */
export const averageCohorts = (cohorts: UsageRetention['cohorts']): UsageRetention['average'] =>
  cohorts.map((_, offset) => {
    let [returned, size] = [0, 0]
    for (const cohort of cohorts) {
      const cell = cohort.cells[offset]
      if (!cell?.complete) continue
      returned += cell.count
      size += cohort.size
    }
    return { offset, rate: rateOf(returned, size) }
  })
