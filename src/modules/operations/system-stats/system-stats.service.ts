import { readSettings, readUserStats } from '#modules/identity'
import { addDays, dayInTimezone, startOfDay } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { readFileStats } from '#platform/files'
import { listSealedConditions, type Services } from '#platform/module'
import { listHourlyUsage } from '#platform/usage'
import { countRecords, readDatabaseStats } from './system-stats.queries.ts'
import type { SystemStats } from './system-stats.schemas.ts'
import { countRecentJobs, toUsageDays } from './usage-days.rules.ts'

type WorkspaceStats = Omit<SystemStats, 'process'>

export async function getWorkspaceStats(
  tx: TenantTx,
  { clock, registry }: Pick<Services, 'clock' | 'registry'>,
): Promise<WorkspaceStats> {
  const now = clock.now()
  const { timezone } = await readSettings(tx, 'general')
  const firstDay = addDays(dayInTimezone(now, timezone), -29)
  const tables = Object.entries(registry.tables).flatMap(([name, { clean }]) => (clean === 'business' ? [name] : []))
  const [records, { sessions_live, api_keys_live, ...users }, storage, hours, database] = await Promise.all([
    countRecords(tx, tables.sort(), listSealedConditions(registry.tables)),
    readUserStats(tx, now),
    readFileStats(tx),
    listHourlyUsage(tx, new Date(startOfDay(firstDay, timezone))),
    readDatabaseStats(tx),
  ])
  return {
    as_of: now,
    records,
    users,
    sessions_live,
    api_keys_live,
    storage,
    usage_30d: toUsageDays(hours, timezone),
    jobs_24h: countRecentJobs(hours, now),
    database,
  }
}
