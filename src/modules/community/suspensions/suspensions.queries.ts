import { type Selectable, sql } from 'kysely'
import { type Database, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import type { SuspensionQuery } from './suspensions.schemas.ts'

const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }

const suspensionColumns = [
  'id',
  'user_id',
  'reason',
  'ends_at',
  'suspended_by',
  'created_at',
  'updated_at',
  'version',
] as const
export type SuspensionRow = Pick<Selectable<Database['community.suspensions']>, (typeof suspensionColumns)[number]>

export function findSuspension(tx: TenantTx, userId: string): Promise<SuspensionRow | undefined> {
  return tx
    .selectFrom('community.suspensions')
    .select(suspensionColumns)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export function findActiveSuspension(
  tx: TenantTx,
  userId: string,
): Promise<Pick<SuspensionRow, 'reason' | 'ends_at'> | undefined> {
  return tx
    .selectFrom('community.suspensions')
    .select(['reason', 'ends_at'])
    .where('user_id', '=', userId)
    .where(({ eb, or }) => or([eb('ends_at', 'is', null), eb('ends_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
}

export function listSuspensionRows(
  tx: TenantTx,
  { sort = '-created_at', ...page }: SuspensionQuery,
): Promise<Page<SuspensionRow>> {
  const plan = {
    table: 'community.suspensions',
    columns: suspensionColumns,
    order: sortOrderOf(orders, sort),
    scans: [{ conditions: [] }],
    filters: {},
  }
  return readPage<SuspensionRow>(tx, plan, page)
}

type Suspension = { id: string; userId: string; reason: string; endsAt: Date | null; suspendedBy: string; now: Date }

export function upsertSuspension(tx: TenantTx, suspension: Suspension): Promise<SuspensionRow> {
  const { id, userId, reason, endsAt, suspendedBy, now } = suspension
  const fields = { reason, ends_at: endsAt, suspended_by: suspendedBy }
  return tx
    .insertInto('community.suspensions')
    .values({ id, user_id: userId, ...fields, created_at: now, updated_at: now })
    .onConflict((existing) => existing.constraint('suspensions_one_per_user').doUpdateSet(fields))
    .returning(suspensionColumns)
    .executeTakeFirstOrThrow()
}

export function deleteSuspensionRow(tx: TenantTx, userId: string): Promise<SuspensionRow | undefined> {
  return tx
    .deleteFrom('community.suspensions')
    .where('user_id', '=', userId)
    .returning(suspensionColumns)
    .executeTakeFirst()
}
