import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Services } from '#platform/module'
import type { FormerValues } from './bulk.rules.ts'

/** True if the record changed, false if it already had the values, or the error that rejected it. */
export type RecordResult = boolean | AppError

export type BulkContext = {
  actor: UserActor
  now: Date
  /** The same in all batches of a request. */
  requestKey: string
  /** Number of records of the request in earlier batches. */
  offset: number
  services: Pick<Services, 'clock' | 'secrets'>
}

export type FormerRecord = { id: string; before: FormerValues }

export type BulkUndo = {
  fields: readonly string[]
  scopes?: readonly Scope[]
  isForDeleted?: true
  lockBeforeRecords?: BulkAction['lockBeforeRecords']
  restore(tx: TenantTx, records: readonly FormerRecord[], by: BulkContext): Promise<RecordResult[]>
}

/** An action on many records of one kind. */
export type BulkAction = {
  name: string
  takes: readonly string[]
  /** Required in addition to the scope that writes the records. */
  scopes?: readonly Scope[]
  /** The action is for deleted records, which only their ids can select. */
  isForDeleted?: true
  /** Rejects the whole request if `params` is invalid. */
  assertParams?(tx: TenantTx, params: never, by: Omit<BulkContext, 'requestKey' | 'offset'>): Promise<void>
  /** Takes the locks that precede those of the records in the lock order. */
  lockBeforeRecords?(tx: TenantTx, ids: readonly string[]): Promise<void>
  /** Applies the action to one locked record; returns false if nothing changed. An AppError is the outcome of this record only. */
  apply(tx: TenantTx, id: string, params: never, by: BulkContext): Promise<boolean>
  /** Applies the action to many records in few statements. If it throws an AppError, it is rolled back and `apply` is used. */
  applyToAll?(tx: TenantTx, ids: readonly string[], params: never, by: BulkContext): Promise<RecordResult[]>
  undo?: BulkUndo
}

type ApplyToAll = NonNullable<BulkAction['applyToAll']>

export const withApplyToAll = (applyToAll: ApplyToAll): Pick<BulkAction, 'apply' | 'applyToAll'> => ({
  applyToAll,
  async apply(tx, id, params, by) {
    const [result] = await applyToAll(tx, [id], params, by)
    if (result instanceof AppError) throw result
    return result!
  },
})
