import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { AppError } from '#platform/errors'
import { defineExtensionPoint } from '#platform/module'

export type LeadBulkAction = {
  name: string
  takes: readonly string[]
  /** Required in addition to `leads.write`. */
  scope?: Scope
  /** Rejects the whole request if `params` is invalid. */
  assertParams?(tx: TenantTx, params: never): Promise<void>
  /** Applies the action to one locked lead; returns false if nothing changed. An AppError is the outcome of this lead only. */
  apply(tx: TenantTx, id: string, params: never, by: { actor: UserActor; now: Date }): Promise<boolean>
  /** Applies the action to many leads in few statements. If it throws an AppError, it is rolled back and `apply` is used. */
  applyToAll?(
    tx: TenantTx,
    ids: readonly string[],
    params: never,
    by: { actor: UserActor; now: Date },
  ): Promise<(boolean | AppError)[]>
}

export const leadBulkActionPoint = defineExtensionPoint<LeadBulkAction>('bulk actions for leads')
