import { namesOfUsers } from '#modules/identity'
import { listAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import type { AuditLogQuery } from './audit-log.schemas.ts'

/** Who did what, with their names as they are today. */
export async function listAuditLog(tx: TenantTx, { from, to, ...query }: AuditLogQuery) {
  const { limit, offset, cursor, count, ...filter } = query
  const period = {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  }
  const page = await listAudit(tx, { ...filter, ...period }, { limit, offset, cursor, count })
  const ids = page.items.flatMap(({ user_id, actor_user_id }) => [user_id, actor_user_id]).filter((id) => id !== null)
  const names = await namesOfUsers(tx, ids)
  const person = (id: string | null) => (id !== null && names.has(id) ? { id, name: names.get(id)! } : null)
  const items = page.items.map((entry) => ({
    ...entry,
    user: person(entry.user_id),
    actor: person(entry.actor_user_id),
  }))
  return { ...page, items }
}
