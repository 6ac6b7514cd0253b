import { Type } from 'typebox'
import { TaskRequester } from '#modules/identity'
import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { defineExtensionPoint, type Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask } from '#platform/tasks'
import type { BulkAction, BulkUndo } from './bulk-action.ts'

type BulkType = 'lead' | 'contact'

/** The body of a request, with the ids of its kind. */
export type BulkRequest = {
  action: string
  lead_ids?: string[]
  contact_ids?: string[]
  filter?: object
  query?: object
  expected_count?: number
  params?: object
}

export type BulkRow = { id: string; version: number }

type SelectionServices = Pick<Services, 'clock' | 'registry'>

type BulkSubject = {
  type: BulkType
  /** Fields of the request that select records by what the list shows. */
  filters: readonly ('filter' | 'query')[]
  listMatchingIds(
    tx: TenantTx,
    actor: UserActor,
    selection: Pick<BulkRequest, 'filter' | 'query'>,
    limit: number,
    services: SelectionServices,
  ): Promise<string[]>
  /** Returns the rows of locked records, deleted ones too, with their values as in the request of an update. */
  lockValues(tx: TenantTx, ids: readonly string[]): Promise<(BulkRow & Readonly<Record<string, unknown>>)[]>
}

export const BulkTaskInput = strict({
  action: Type.String(),
  params: Type.Unsafe<object>({ type: 'object' }),
  lead_ids: Type.Optional(Type.Array(Id)),
  contact_ids: Type.Optional(Type.Array(Id)),
  by: TaskRequester,
})

export const BulkUndoInput = strict({
  bulk_task_id: Id,
  action: Type.String(),
  total: Type.Integer(),
  by: TaskRequester,
})

/** Records that bulk actions change. Modules register their actions at `actionPoint`. */
export function defineBulkKind(subject: BulkSubject) {
  const { type } = subject
  const scope: Scope = `${type}s.write`
  return {
    ...subject,
    scope,
    idField: `${type}_id` as const,
    idsField: `${type}_ids` as const,
    actionPoint: defineExtensionPoint<BulkAction>(`bulk actions for ${type}s`),
    task: defineTask(`${type}s.bulk`, 'bulk', BulkTaskInput),
    undoTask: defineTask(`${type}s.bulk_undo`, 'bulk', BulkUndoInput),
  }
}

export type BulkKind = ReturnType<typeof defineBulkKind>

type Registry = Pick<Services, 'registry'>

export const findBulkAction = (kind: BulkKind, { registry }: Registry, name: string): BulkAction | undefined =>
  registry.extensionsOf(kind.actionPoint).find((action) => action.name === name)

type UndoableAction = BulkAction & { undo: BulkUndo }

export function findUndoableAction(kind: BulkKind, services: Registry, name: string): UndoableAction {
  const action = findBulkAction(kind, services, name)
  if (!action?.undo) throw new Error(`The bulk action ${name} cannot be undone.`)
  return { ...action, undo: action.undo }
}

export const undoScopesOf = ({ scope }: BulkKind, { scopes = [], undo }: UndoableAction): Scope[] => [
  scope,
  ...scopes,
  ...(undo.scopes ?? []),
]
