import { dayInTimezone } from '#platform/calendar'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { listKnownNames } from '../ingest/ingest.queries.ts'
import { readUsage } from '../states/read-usage.service.ts'
import { listPeriods } from '../usage-store/periods.rules.ts'
import { rateOf } from './dashboard.rules.ts'
import { parseSteps, toFunnelSteps } from './funnels.rules.ts'
import type { UsageFunnel, UsageFunnelQuery } from './funnels.schemas.ts'
import { assertPeriods, averageCohorts, toCohortCells } from './retention.rules.ts'
import type { UsageRetention, UsageRetentionQuery } from './retention.schemas.ts'

export async function getUsageFunnel(tx: TenantTx, query: UsageFunnelQuery, now: Date): Promise<UsageFunnel> {
  const { days, window_days, actor } = query
  const names = parseSteps(query.steps)
  const { store } = await readUsage(tx)
  const since = daysLater(now, -days)
  const [counts, known] = await Promise.all([
    store.countFunnel({ kind: actor, steps: names, since, until: now, window_seconds: window_days * 86_400 }),
    listKnownNames(tx, names),
  ])
  return {
    from_at: since,
    to_at: now,
    window_days,
    actor,
    steps: toFunnelSteps(names, counts, new Set(known)),
    total_conversion_rate: rateOf(counts.at(-1)!.count, counts[0]!.count),
  }
}

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
