import type { Role } from '#platform/access'
import { type AuditAction, recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { emit } from '#platform/outbox'
import { userDeactivated, userReactivated, userRoleChanged, userUpdated } from '../../identity.events.ts'
import type { UserRow } from '../../workspace/user-records/users.queries.ts'

const ignoredFields = new Set(['version', 'updated_at'])

/** Records one audit entry and one event each for a changed role, a changed status and all other changed fields. */
export async function publishUserChanges(
  tx: TenantTx,
  before: UserRow,
  after: UserRow,
  successorId: string | null,
): Promise<void> {
  const changed = new Set(Object.keys(changedFields(before, after)).filter((field) => !ignoredFields.has(field)))
  const recordFields = (action: AuditAction, fields: string[]) =>
    recordAudit(tx, action, {
      id: after.id,
      label: after.name,
      before: pickFields(before, fields),
      after: pickFields(after, fields),
    })

  if (changed.delete('role')) {
    await recordFields('user.role_changed', ['role'])
    await emit(tx, userRoleChanged, after, { from: before.role as Role, to: after.role as Role })
  }
  changed.delete('deactivated_at')
  if (changed.delete('status')) {
    const isDeactivated = after.status === 'deactivated'
    await recordFields(isDeactivated ? 'user.deactivated' : 'user.reactivated', ['status', 'deactivated_at'])
    if (isDeactivated) await emit(tx, userDeactivated, after, { reassign_to_user_id: successorId })
    else await emit(tx, userReactivated, after, {})
  }
  if (changed.size === 0) return
  await recordFields('user.updated', [...changed])
  await emit(tx, userUpdated, after, { changed: [...changed].map(toApiField) })
}

const pickFields = (row: object, fields: string[]) =>
  Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field)))

const toApiField = (field: string) => (field === 'quarterly_quota_minor' ? 'quarterly_quota' : field)
