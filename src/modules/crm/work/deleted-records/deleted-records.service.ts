import { findUserNames, toUserReference } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { Page, TenantTx } from '#platform/db'
import { restorableDays } from '../../records/fields/record.rules.ts'
import { findRecordNames } from '../../records/references/record-names.queries.ts'
import { type DeletedRow, listDeletedRows } from './deleted-records.queries.ts'
import type { DeletedRecord, DeletedRecordQuery, DeletedType } from './deleted-records.schemas.ts'

/** Lists what the caller may restore, as `assertRecordRestorable` decides it. */
export async function listDeletedRecords(
  tx: TenantTx,
  actor: UserActor,
  { type, now, ...page }: DeletedRecordQuery & { type: DeletedType; now: Date },
): Promise<Page<DeletedRecord>> {
  const filter = {
    type,
    since: daysLater(now, -restorableDays),
    deletedBy: isManagerOrAdmin(actor.role) ? undefined : actor.userId,
  }
  const { items, ...others } = await listDeletedRows(tx, filter, page)
  const [users, accounts] = await Promise.all([
    findUserNames(
      tx,
      items.flatMap((row) => row.deleted_by ?? []),
    ),
    findAccountNames(tx, items),
  ])
  return {
    ...others,
    items: items.map((row) => ({
      id: row.id,
      name: row.name || row.email || row.phone || row.company || '',
      email: row.email ?? null,
      company: row.company ?? row.account_name ?? accounts.get(row.account_id ?? '') ?? null,
      deleted_at: row.deleted_at,
      deleted_by: toUserReference(users, row.deleted_by),
      restorable_until: daysLater(row.deleted_at, restorableDays),
    })),
  }
}

/** The account of a deleted deal can be deleted too. */
function findAccountNames(tx: TenantTx, rows: readonly DeletedRow[]): Promise<ReadonlyMap<string, string>> {
  const account = rows.flatMap((row) => row.account_id ?? [])
  return findRecordNames(tx, { lead: [], contact: [], account, opportunity: [] })
}
