import { type Expression, type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import {
  type Database,
  type Page,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
  toLikePatterns,
} from '#platform/db'
import { notFound } from '#platform/errors'
import { type ScenarioRow, scenarioColumns } from './scenario-row.ts'
import type { ScenarioQuery } from './scenarios.schemas.ts'

type Scenarios = Database['enablement.coaching_scenarios']
type Condition = Expression<SqlBool>

const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }

/** Statuses are one index scan each, because their index is sorted by creation. */
export async function listScenarioRows(
  tx: TenantTx,
  { role, userId }: UserActor,
  query: ScenarioQuery,
): Promise<Page<ScenarioRow>> {
  const { limit, offset, cursor, count, sort = '-created_at', ...filters } = query
  const { type, difficulty, search, status = ['published'] } = filters
  const conditions: Condition[] = [sql`enablement.coaching_scenarios.deleted_at is null`]
  if (type) conditions.push(sql`enablement.coaching_scenarios.type = any (${type}::text[])`)
  if (difficulty) conditions.push(sql`enablement.coaching_scenarios.difficulty = any (${difficulty}::text[])`)
  if (search)
    conditions.push(sql`enablement.coaching_scenarios.search_text like all (${toLikePatterns(search)}::text[])`)
  const scans = [...new Set(status)].map((value) => {
    const scan: Condition[] = [sql`enablement.coaching_scenarios.status = ${value}`, ...conditions]
    if (value === 'draft' && !isManagerOrAdmin(role))
      scan.push(sql`enablement.coaching_scenarios.owner_id = ${userId}::uuid`)
    return { conditions: scan }
  })
  const plan = {
    table: 'enablement.coaching_scenarios',
    columns: scenarioColumns,
    order: sortOrderOf(orders, sort),
    scans,
    filters,
  }
  return await readPage<ScenarioRow>(tx, plan, { limit, offset, cursor, count })
}

const selectScenario = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('enablement.coaching_scenarios')
    .select(scenarioColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$castTo<ScenarioRow>()

export const findScenario = (tx: TenantTx, id: string): Promise<ScenarioRow | undefined> =>
  selectScenario(tx, id).executeTakeFirst()

export const lockScenario = (tx: TenantTx, id: string): Promise<ScenarioRow> =>
  selectScenario(tx, id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('scenario'))

/** Prevents that a scenario is deleted while a session begins to use it. */
export const lockScenarioShared = (tx: TenantTx, id: string): Promise<ScenarioRow | undefined> =>
  selectScenario(tx, id).forShare().executeTakeFirst()

export const listScenariosByIds = (tx: TenantTx, ids: readonly string[]): Promise<ScenarioRow[]> =>
  tx
    .selectFrom('enablement.coaching_scenarios')
    .select(scenarioColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .$castTo<ScenarioRow>()
    .execute()

/** Scenarios that a seller can start, or that an author still works on. */
export const listScenariosOfPersona = (
  tx: TenantTx,
  personaId: string,
  limit: number,
): Promise<{ id: string; title: string }[]> =>
  tx
    .selectFrom('enablement.coaching_scenarios')
    .select(['id', 'title'])
    .where('persona_id', '=', personaId)
    .where('status', '<>', 'archived')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()

export const insertScenario = (tx: TenantTx, scenario: Insertable<Scenarios>): Promise<ScenarioRow> =>
  tx
    .insertInto('enablement.coaching_scenarios')
    .values(scenario)
    .returning(scenarioColumns)
    .$castTo<ScenarioRow>()
    .executeTakeFirstOrThrow()

export const updateScenarioRow = (tx: TenantTx, id: string, fields: Updateable<Scenarios>): Promise<ScenarioRow> =>
  tx
    .updateTable('enablement.coaching_scenarios')
    .set(fields)
    .where('id', '=', id)
    .returning(scenarioColumns)
    .$castTo<ScenarioRow>()
    .executeTakeFirstOrThrow()

export async function deleteScenarioRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.coaching_scenarios').where('id', '=', id).execute()
}

type Attempts = { scenario_id: string; attempts: number; best_score: number | null }

/** Roleplays of a user per scenario. Private and abandoned ones count nowhere. */
export async function listAttempts(tx: TenantTx, userId: string, scenarioIds: readonly string[]): Promise<Attempts[]> {
  return await tx
    .selectFrom('enablement.coaching_sessions')
    .select(({ fn }) => ['scenario_id', fn.countAll<number>().as('attempts'), fn.max('score').as('best_score')])
    .where('scenario_id', '=', sql<string>`any(${scenarioIds}::uuid[])`)
    .where('rep_id', '=', userId)
    .where('kind', '=', 'roleplay')
    .where('is_private', '=', false)
    .where('status', '<>', 'abandoned')
    .groupBy('scenario_id')
    .$castTo<Attempts>()
    .execute()
}

export async function hasSessions(tx: TenantTx, scenarioId: string): Promise<boolean> {
  const session = await tx
    .selectFrom('enablement.coaching_sessions')
    .select('id')
    .where('scenario_id', '=', scenarioId)
    .limit(1)
    .executeTakeFirst()
  return session !== undefined
}
