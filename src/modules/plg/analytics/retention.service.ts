import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { readUsage } from '../states/read-usage.service.ts'
import { listPeriods } from '../usage-store/periods.rules.ts'
import { assertPeriods, averageCohorts, toCohortCells } from './retention.rules.ts'
import type { UsageRetention, UsageRetentionQuery } from './retention.schemas.ts'

export async function getUsageRetention(tx: TenantTx, query: UsageRetentionQuery, now: Date): Promise<UsageRetention> {
  const { granularity, event, actor } = query
  assertPeriods(granularity, query.periods)
  const { store, timezone } = await readUsage(tx)
  const today = dayInTimezone(now, timezone)
  const periods = listPeriods(today, granularity, query.periods)
  const counts = await store.countRetention({ kind: actor, granularity, periods, event })
  const cohorts = toCohortCells(periods, counts, today)
  return { granularity, timezone, cohorts, average: averageCohorts(cohorts) }
}
