import { type SqlBool, sql } from 'kysely'
import {
  acquireAdvisoryLock,
  type Condition,
  listTenantsAsRetention,
  listTenantsWithRows,
  type Page,
  type PagePlan,
  readPage,
  type SortOrders,
  type SystemTx,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import type { SortedPageQuery } from '#platform/schema'
import type { Evidence } from './qualifications.schemas.ts'

const columns = [
  'id',
  'rule_key',
  'actor_id',
  'is_account',
  'qualified_at',
  'last_met_on',
  'lost_at',
  'evidence',
  'points',
  'created_lead_id',
  'created_at',
  'updated_at',
] as const

export type QualificationRow = {
  id: string
  rule_key: string
  actor_id: string
  is_account: boolean
  qualified_at: Date
  last_met_on: string
  lost_at: Date | null
  evidence: unknown
  points: number
  created_lead_id: string | null
  created_at: Date
  updated_at: Date
}

type PqlFilter = { kind?: 'person' | 'account'; rule_key?: string; state?: 'qualified' | 'lost' }

const table = 'plg.qualifications'
const orders: SortOrders = { qualified_at: { by: { qualified_at: 'timestamp' } } }

export function listQualificationRows(
  tx: TenantTx,
  filter: PqlFilter,
  query: SortedPageQuery,
): Promise<Page<QualificationRow>> {
  const { kind, rule_key, state } = filter
  const conditions: Condition[] = []
  if (kind) conditions.push(sql<SqlBool>`plg.qualifications.is_account = ${kind === 'account'}`)
  if (rule_key) conditions.push(sql<SqlBool>`plg.qualifications.rule_key = ${rule_key}`)
  if (state)
    conditions.push(
      state === 'lost' ? sql`plg.qualifications.lost_at is not null` : sql`plg.qualifications.lost_at is null`,
    )
  const plan: PagePlan = {
    table,
    columns,
    order: sortOrderOf(orders, query.sort ?? '-qualified_at'),
    scans: [{ conditions }],
    filters: filter,
  }
  return readPage<QualificationRow>(tx, plan, query)
}

export type MetRule = { id: string; actor_id: string; is_account: boolean; evidence: Evidence }
type Rule = { key: string; points: number }
export type NewQualification = { id: string; actor_id: string; is_account: boolean; points: number }

/** Creates qualifications, renews the open ones, and returns those that are new. */
export async function upsertQualifications(
  tx: TenantTx,
  { key, points }: Rule,
  met: readonly MetRule[],
  { now, today }: { now: Date; today: string },
): Promise<NewQualification[]> {
  if (!met.length) return []
  const { rows } = await sql<NewQualification & { is_new: boolean }>`
    insert into plg.qualifications as stored (id, rule_key, actor_id, is_account, qualified_at, last_met_on, evidence, points)
    select id, ${key}, actor_id, is_account, ${now}, ${today}::date, evidence, ${points}
    from json_to_recordset(${JSON.stringify(met)}::json) as met (id uuid, actor_id uuid, is_account boolean, evidence jsonb)
    order by actor_id
    on conflict (tenant_id, rule_key, actor_id) where lost_at is null do update
      set last_met_on = excluded.last_met_on, evidence = excluded.evidence, points = excluded.points,
        effects_due = stored.effects_due or stored.points <> excluded.points
      where stored.last_met_on < excluded.last_met_on or stored.points <> excluded.points
    returning id, actor_id, is_account, points, xmax = 0 as is_new
  `.execute(tx)
  return rows.filter(({ is_new }) => is_new)
}

export type OpenQualification = {
  id: string
  rule_key: string
  actor_id: string
  is_account: boolean
  last_met_on: string
}

export async function listOpenQualifications(tx: TenantTx, after: string, limit: number): Promise<OpenQualification[]> {
  return await tx
    .selectFrom(table)
    .select(['id', 'rule_key', 'actor_id', 'is_account', 'last_met_on'])
    .where('lost_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

type LostRow = { id: string; rule_key: string; actor_id: string; is_account: boolean }

/** Ends open qualifications; `lastMetBefore` protects those that were met again since they were read. */
export async function markQualificationsLost(
  tx: TenantTx,
  ids: readonly string[],
  { now, lastMetBefore }: { now: Date; lastMetBefore?: string },
): Promise<LostRow[]> {
  if (!ids.length) return []
  const { rows } = await sql<LostRow>`
    with found as materialized (
      select id from plg.qualifications where id = any (${ids}::uuid[]) and lost_at is null
        and (${lastMetBefore ?? null}::date is null or last_met_on < ${lastMetBefore ?? null}::date)
      order by id for no key update
    )
    update plg.qualifications stored set lost_at = ${now}, effects_due = true from found where stored.id = found.id
    returning stored.id, stored.rule_key, stored.actor_id, stored.is_account
  `.execute(tx)
  return rows
}

export async function listOpenIdsOfActor(tx: TenantTx, actorId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom(table)
    .select('id')
    .where('actor_id', '=', actorId)
    .where('lost_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export type DueQualification = OpenQualification & {
  lost_at: Date | null
  points: number
}

/** Effects that failed are left out until their next attempt. */
export async function listDueEffects(tx: TenantTx, now: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom(table)
    .select('id')
    .where('effects_due', '=', true)
    .where(sql<SqlBool>`(effects_retry_at is null or effects_retry_at <= ${now})`)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Serializes the effects of a workspace, so that two qualifications of a person do not create two leads. */
export async function lockEffects(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'pql_effects')
}

export async function findDueEffect(tx: TenantTx, id: string): Promise<DueQualification | undefined> {
  return await tx
    .selectFrom(table)
    .select(['id', 'rule_key', 'actor_id', 'is_account', 'last_met_on', 'lost_at', 'points'])
    .where('id', '=', id)
    .where('effects_due', '=', true)
    .executeTakeFirst()
}

const maxRetryMinutes = 1_440

/** Each attempt waits twice as long as the one before, at most a day. */
export async function postponeFailedEffects(tx: TenantTx, id: string, now: Date): Promise<void> {
  await sql`
    update plg.qualifications set effects_failures = effects_failures + 1,
      effects_retry_at = ${now}::timestamptz
        + least(${maxRetryMinutes}::integer, (1 << least(effects_failures, 11))) * interval '1 minute'
    where id = ${id}::uuid
  `.execute(tx)
}

/** Keeps the mark if the qualification was lost or found again since it was read. */
export async function markEffectsApplied(
  tx: TenantTx,
  { id, lost_at }: Pick<DueQualification, 'id' | 'lost_at'>,
  createdLeadId: string | null,
): Promise<void> {
  await sql`
    update plg.qualifications set effects_due = false, effects_failures = 0, effects_retry_at = null, created_lead_id = coalesce(${createdLeadId}::uuid, created_lead_id)
    where id = ${id}::uuid and (lost_at is null) = ${lost_at === null}
  `.execute(tx)
}

export async function listLeadIdsOfAccount(
  tx: TenantTx,
  input: { accountActorId: string; generation: number; since: string; limit: number },
): Promise<string[]> {
  const { accountActorId, generation, since, limit } = input
  const { rows } = await sql<{ lead_id: string }>`
    select person.lead_id from plg.actors person
    where person.account_actor_id = ${accountActorId}::uuid and person.lead_id is not null and exists (
      select from plg.actor_event_days counted
      where counted.generation = ${generation} and counted.actor_id = person.id and counted.day >= ${since}::date)
    order by person.lead_id limit ${limit}
  `.execute(tx)
  return [...new Set(rows.map(({ lead_id }) => lead_id))]
}

export async function filterIds(
  tx: TenantTx,
  matching: ReturnType<typeof sql<{ id: string }>>,
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from (${matching}) as record where id = any (${ids}::uuid[])
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export const listTenantsWithQualifications = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'plg.qualifications', sql<SqlBool>`lost_at is null`))
