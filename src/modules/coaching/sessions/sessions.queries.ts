import { type Expression, type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import { type Database, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { type SessionRow, sessionColumns } from './session-row.ts'
import type { SessionQuery } from './sessions.schemas.ts'

type Sessions = Database['enablement.coaching_sessions']
type Condition = Expression<SqlBool>

/** A user who may see all sessions, or those of the users they lead, besides their own. */
export type SessionViewer = { userId: string; seesAll: boolean; seesPrivate: boolean; ledUserIds: readonly string[] }

const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }
const maxScans = 50

export async function listSessionRows(
  tx: TenantTx,
  viewer: SessionViewer,
  query: SessionQuery,
): Promise<Page<SessionRow>> {
  const { limit, offset, cursor, count, sort = '-created_at', ...filters } = query
  const conditions = filterConditions(filters)
  const plan = {
    table: 'enablement.coaching_sessions',
    columns: sessionColumns,
    order: sortOrderOf(orders, sort),
    scans: visibleScans(viewer, filters.rep_id).map((scan) => ({ conditions: [...scan, ...conditions] })),
    filters,
    plansForValues: conditions.length > 0,
  }
  return await readPage<SessionRow>(tx, plan, { limit, offset, cursor, count })
}

type Filters = Omit<SessionQuery, 'limit' | 'offset' | 'cursor' | 'count' | 'sort'>

function filterConditions({ kind, status, coach_id, scenario_id }: Filters): Condition[] {
  const conditions: Condition[] = []
  if (kind) conditions.push(sql`enablement.coaching_sessions.kind = ${kind}`)
  if (status) conditions.push(sql`enablement.coaching_sessions.status = ${status}`)
  if (coach_id) conditions.push(sql`enablement.coaching_sessions.coach_id = ${coach_id}::uuid`)
  if (scenario_id) conditions.push(sql`enablement.coaching_sessions.scenario_id = ${scenario_id}::uuid`)
  return conditions
}

const isOfRep = (repId: string): Condition => sql`enablement.coaching_sessions.rep_id = ${repId}::uuid`
const isShared: Condition = sql`not enablement.coaching_sessions.is_private`

/** Same condition as `canSeeSession` in session-access.service.ts, as index scans that do not overlap. */
function visibleScans(viewer: SessionViewer, repId: string | undefined): Condition[][] {
  const { userId, seesAll, seesPrivate, ledUserIds } = viewer
  const isCoach: Condition = sql`enablement.coaching_sessions.coach_id = ${userId}::uuid`
  const own = seesPrivate ? [isOfRep(userId)] : [isOfRep(userId), isShared]
  const isVisible: Condition = seesPrivate ? sql`(${isShared} or ${isOfRep(userId)})` : isShared
  if (repId !== undefined) {
    if (repId === userId) return [own]
    return seesAll || ledUserIds.includes(repId) ? [[isOfRep(repId), isShared]] : [[isOfRep(repId), isShared, isCoach]]
  }
  if (seesAll) return [[isVisible]]
  const repIds = [userId, ...ledUserIds]
  const isOther: Condition = sql`enablement.coaching_sessions.rep_id <> all (${repIds}::uuid[])`
  const coached = [isCoach, isShared, isOther]
  if (repIds.length <= maxScans) return [own, ...ledUserIds.map((id) => [isOfRep(id), isShared]), coached]
  return [[sql`enablement.coaching_sessions.rep_id = any (${repIds}::uuid[])`, isVisible], coached]
}

const selectSession = (tx: TenantTx, id: string) =>
  tx.selectFrom('enablement.coaching_sessions').select(sessionColumns).where('id', '=', id).$castTo<SessionRow>()

export const findSession = (tx: TenantTx, id: string): Promise<SessionRow | undefined> =>
  selectSession(tx, id).executeTakeFirst()

export const lockSession = (tx: TenantTx, id: string): Promise<SessionRow> =>
  selectSession(tx, id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('session'))

export const insertSession = (tx: TenantTx, session: Insertable<Sessions>): Promise<SessionRow> =>
  tx
    .insertInto('enablement.coaching_sessions')
    .values(session)
    .returning(sessionColumns)
    .$castTo<SessionRow>()
    .executeTakeFirstOrThrow()

export const updateSessionRow = (tx: TenantTx, id: string, fields: Updateable<Sessions>): Promise<SessionRow> =>
  tx
    .updateTable('enablement.coaching_sessions')
    .set(fields)
    .where('id', '=', id)
    .returning(sessionColumns)
    .$castTo<SessionRow>()
    .executeTakeFirstOrThrow()

export async function lockSessionsOf(
  tx: TenantTx,
  column: 'rep_id' | 'coach_id',
  userId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.coaching_sessions where ${sql.ref(column)} = ${userId}::uuid
    order by id limit ${limit}::integer for update
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Messages are deleted with their session. */
export async function deleteSessions(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`delete from enablement.coaching_sessions where id = any (${ids}::uuid[])`.execute(tx)
}

export async function clearCoach(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`update enablement.coaching_sessions set coach_id = null where id = any (${ids}::uuid[])`.execute(tx)
}
