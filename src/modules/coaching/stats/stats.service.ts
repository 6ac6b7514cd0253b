import type { UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { countOpenActionItems, listCountedSessions, listScenarioChoices } from './stats.queries.ts'
import { calculateStats } from './stats.rules.ts'
import type { CoachingStats } from './stats.schemas.ts'

export async function getMyCoachingStats(
  tx: TenantTx,
  { userId }: UserActor,
  { days, now }: { days: number; now: Date },
): Promise<CoachingStats> {
  const [sessions, openActionItems, scenarios] = await Promise.all([
    listCountedSessions(tx, userId, daysLater(now, -days)),
    countOpenActionItems(tx, userId),
    listScenarioChoices(tx),
  ])
  return calculateStats(sessions, { days, now, openActionItems, scenarios })
}
