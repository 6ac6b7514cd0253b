import { findTeamNames, findUserNames, listLedUserIds, listMemberIds } from '#modules/identity'
import { listVisibleItems } from '#modules/library'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import type { Cache } from '#platform/cache'
import { type Clock, daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { calculateInsights, type InsightFacts } from './calculate-insights.service.ts'
import { findSnapshot } from './influences.queries.ts'
import type { Insights, InsightsQuery } from './insights.schemas.ts'
import { snapshotDays, snapshotKey } from './refresh-insights.service.ts'

/** Periods slide with time, so an older snapshot is calculated again. */
const maxSnapshotDays = 1
const cacheSeconds = 30

type Context = { clock: Clock; cache: Cache }
type StoredInsights = { facts: InsightFacts; as_of: Date }

export async function getEnablementInsights(
  tx: TenantTx,
  actor: UserActor,
  query: InsightsQuery,
  context: Context,
): Promise<Insights> {
  const { facts, as_of } = await readFacts(tx, actor, query, context)
  return await presentInsights(tx, actor, facts, as_of)
}

/** The usual period is stored; others are calculated for the response. */
async function readFacts(
  tx: TenantTx,
  { tenantId }: UserActor,
  { days, team_id }: InsightsQuery,
  { clock, cache }: Context,
): Promise<StoredInsights> {
  const now = clock.now()
  const memberIds = team_id === undefined ? [] : await readTeam(tx, team_id)
  const snapshot = days === snapshotDays && team_id === undefined ? await findSnapshot(tx, snapshotKey) : undefined
  if (snapshot && snapshot.as_of > daysLater(now, -maxSnapshotDays))
    return { facts: reviveDates(snapshot.payload as unknown as InsightFacts), as_of: snapshot.as_of }
  const name = ['insights', days, team_id ?? 'all'].join(':')
  const cached = await cache.getOrLoad(tenantId, name, cacheSeconds, async () => ({
    facts: await calculateInsights(tx, { days, now, team: team_id ? { teamId: team_id, memberIds } : undefined }),
    as_of: now,
  }))
  return { facts: reviveDates(cached.facts), as_of: new Date(cached.as_of) }
}

async function readTeam(tx: TenantTx, teamId: string): Promise<string[]> {
  if (!(await findTeamNames(tx, [teamId])).has(teamId))
    throw invalid('query', '/team_id', 'unknown_reference', '`team_id` must refer to an existing team.')
  return await listMemberIds(tx, teamId)
}

/** JSON has no dates. */
const reviveDates = (facts: InsightFacts): InsightFacts => ({
  ...facts,
  period: { from: new Date(facts.period.from), to: new Date(facts.period.to) },
  search_gaps: facts.search_gaps.map((gap) => ({ ...gap, last_at: new Date(gap.last_at) })),
})

/** Adds titles of content that the caller may see, and names of owners that the caller may know. */
async function presentInsights(tx: TenantTx, actor: UserActor, facts: InsightFacts, as_of: Date): Promise<Insights> {
  const ids = [...facts.content_wins, ...facts.stale_content].map(({ item_id }) => item_id)
  const visible = await listVisibleItems(tx, [...new Set(ids)])
  const items = new Map(visible.map(({ id, title }) => [id, { id, title }]))
  const mayKnow = await readKnownUsers(tx, actor)
  const names = await findUserNames(
    tx,
    facts.stale_content.flatMap(({ owner_id }) => (owner_id && mayKnow(owner_id) ? owner_id : [])),
  )
  return {
    ...facts,
    as_of,
    content_wins: facts.content_wins.flatMap(({ item_id, ...win }) => {
      const item = items.get(item_id)
      return item ? [{ item, ...win }] : []
    }),
    stale_content: facts.stale_content.flatMap(({ item_id, owner_id, ...stale }) => {
      const item = items.get(item_id)
      const name = owner_id === null ? undefined : names.get(owner_id)
      return item ? [{ ...stale, item, owner: name === undefined ? null : { id: owner_id!, name } }] : []
    }),
  }
}

async function readKnownUsers(tx: TenantTx, { role, userId }: UserActor): Promise<(id: string) => boolean> {
  if (isManagerOrAdmin(role)) return () => true
  const led = new Set(await listLedUserIds(tx, userId))
  return (id) => id === userId || led.has(id)
}
