import { findUserNames } from '#modules/identity'
import { listAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import type { AuditLogQuery } from './audit-log.schemas.ts'

export async function listAuditLog(tx: TenantTx, { from, to, ...query }: AuditLogQuery) {
  const { limit, offset, cursor, count, sort, ...filter } = query
  const period = {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  }
  const page = await listAuditEntries(tx, { ...filter, ...period }, { limit, offset, cursor, count, sort })
  const ids = page.items.flatMap(({ user_id, actor_user_id }) => [user_id, actor_user_id]).filter((id) => id !== null)
  const names = await findUserNames(tx, ids)
  const toReference = (id: string | null) => (id !== null && names.has(id) ? { id, name: names.get(id)! } : null)
  const items = page.items.map((entry) => ({
    ...entry,
    user: toReference(entry.user_id),
    actor: toReference(entry.actor_user_id),
  }))
  return { ...page, items }
}
