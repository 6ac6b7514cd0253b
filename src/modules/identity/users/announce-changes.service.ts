import type { Role } from '#platform/access'
import { type Action, record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { userDeactivated, userReactivated, userRoleChanged, userUpdated } from '../identity.events.ts'
import type { UserRow } from './users.queries.ts'
import { realChanges } from './users.rules.ts'

const bookkeeping = new Set(['version', 'updated_at'])

/** One entry and one event for each fact: the role, the status, and everything else together. */
export async function announceChanges(
  tx: TenantTx,
  before: UserRow,
  after: UserRow,
  successorId: string | null,
): Promise<void> {
  const changed = new Set(Object.keys(realChanges(before, after)).filter((field) => !bookkeeping.has(field)))
  const note = (action: Action, fields: string[]) =>
    record(tx, action, { id: after.id, label: after.name, before: only(before, fields), after: only(after, fields) })

  if (changed.delete('role')) {
    await note('user.role_changed', ['role'])
    await emit(tx, userRoleChanged, after, { from: before.role as Role, to: after.role as Role })
  }
  changed.delete('deactivated_at')
  if (changed.delete('status')) {
    const isGone = after.status === 'deactivated'
    await note(isGone ? 'user.deactivated' : 'user.reactivated', ['status', 'deactivated_at'])
    if (isGone) await emit(tx, userDeactivated, after, { reassign_to_user_id: successorId })
    else await emit(tx, userReactivated, after, {})
  }
  if (changed.size === 0) return
  await note('user.updated', [...changed])
  await emit(tx, userUpdated, after, { changed: [...changed].map(asOnTheWire) })
}

const only = (row: object, fields: string[]) =>
  Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field)))

const asOnTheWire = (field: string) => (field === 'quarterly_quota_minor' ? 'quarterly_quota' : field)
