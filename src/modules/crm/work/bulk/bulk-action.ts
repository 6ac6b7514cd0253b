import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { defineExtensionPoint, type Services } from '#platform/module'
import type { FormerValues } from './bulk.rules.ts'

/** True if the lead changed, false if it already had the values, or the error that rejected it. */
export type LeadResult = boolean | AppError

export type BulkContext = {
  actor: UserActor
  now: Date
  /** The same in all batches of a request. */
  requestKey: string
  services: Pick<Services, 'clock' | 'secrets'>
}

export type FormerLead = { id: string; before: FormerValues }

export type LeadBulkUndo = {
  fields: readonly string[]
  scopes?: readonly Scope[]
  isForDeleted?: true
  lockBeforeLeads?: LeadBulkAction['lockBeforeLeads']
  restore(tx: TenantTx, leads: readonly FormerLead[], by: BulkContext): Promise<LeadResult[]>
}

export type LeadBulkAction = {
  name: string
  takes: readonly string[]
  /** Required in addition to `leads.write`. */
  scopes?: readonly Scope[]
  /** The action is for deleted leads, which only `lead_ids` can select. */
  isForDeleted?: true
  /** Rejects the whole request if `params` is invalid. */
  assertParams?(tx: TenantTx, params: never, by: Omit<BulkContext, 'requestKey'>): Promise<void>
  /** Takes the locks that precede those of leads in the lock order. */
  lockBeforeLeads?(tx: TenantTx, ids: readonly string[]): Promise<void>
  /** Applies the action to one locked lead; returns false if nothing changed. An AppError is the outcome of this lead only. */
  apply(tx: TenantTx, id: string, params: never, by: BulkContext): Promise<boolean>
  /** Applies the action to many leads in few statements. If it throws an AppError, it is rolled back and `apply` is used. */
  applyToAll?(tx: TenantTx, ids: readonly string[], params: never, by: BulkContext): Promise<LeadResult[]>
  undo?: LeadBulkUndo
}

export const leadBulkActionPoint = defineExtensionPoint<LeadBulkAction>('bulk actions for leads')

export function findBulkAction({ registry }: Pick<Services, 'registry'>, name: string): LeadBulkAction | undefined {
  return registry.extensionsOf(leadBulkActionPoint).find((action) => action.name === name)
}

type UndoableAction = LeadBulkAction & { undo: LeadBulkUndo }

export function findUndoableAction(services: Pick<Services, 'registry'>, name: string): UndoableAction {
  const action = findBulkAction(services, name)
  if (!action?.undo) throw new Error(`The bulk action ${name} cannot be undone.`)
  return { ...action, undo: action.undo }
}

export const undoScopesOf = ({ scopes = [], undo }: UndoableAction): Scope[] => [
  'leads.write',
  ...scopes,
  ...(undo.scopes ?? []),
]

type ApplyToAll = NonNullable<LeadBulkAction['applyToAll']>

export const withApplyToAll = (applyToAll: ApplyToAll): Pick<LeadBulkAction, 'apply' | 'applyToAll'> => ({
  applyToAll,
  async apply(tx, id, params, by) {
    const [result] = await applyToAll(tx, [id], params, by)
    if (result instanceof AppError) throw result
    return result!
  },
})
