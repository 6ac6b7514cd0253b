import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import {
  type BulkAction,
  type BulkContext,
  type FormerRecord,
  type RecordResult,
  withApplyToAll,
} from './bulk-action.ts'

type Removal = {
  deleteScope: Scope
  deleteAll(tx: TenantTx, ids: readonly string[], by: BulkContext): Promise<RecordResult[]>
  /** Returns an error for each record that cannot be restored. */
  restoreAll(
    tx: TenantTx,
    actor: UserActor,
    ids: readonly string[],
    services: BulkContext['services'],
  ): Promise<readonly unknown[]>
  lockBeforeRestore: NonNullable<BulkAction['lockBeforeRecords']>
}

/** Defines the actions `delete` and `restore`, of which each undoes the other. */
export function defineRemovalActions({ deleteScope, deleteAll, restoreAll, lockBeforeRestore }: Removal): BulkAction[] {
  const ofDeleted = { isForDeleted: true, lockBeforeRecords: lockBeforeRestore } as const
  const scopes = [deleteScope]
  const restoreMany = async (tx: TenantTx, ids: readonly string[], { actor, services }: BulkContext) => {
    const results = await restoreAll(tx, actor, ids, services)
    return results.map((result) => (result instanceof AppError ? result : true))
  }
  return [
    {
      name: 'delete',
      takes: [],
      scopes,
      ...withApplyToAll((tx, ids, _params, by) => deleteAll(tx, ids, by)),
      undo: { ...ofDeleted, fields: [], restore: (tx, records, by) => restoreMany(tx, idsOf(records), by) },
    },
    {
      name: 'restore',
      takes: [],
      ...ofDeleted,
      ...withApplyToAll((tx, ids, _params, by) => restoreMany(tx, ids, by)),
      undo: { fields: [], scopes, restore: (tx, records, by) => deleteAll(tx, idsOf(records), by) },
    },
  ]
}

const idsOf = (records: readonly FormerRecord[]): string[] => records.map(({ id }) => id)
