import { sql } from 'kysely'
import { acquireAdvisoryLock, type TenantTx } from '#platform/db'

/** Locks the active admins, so that their number cannot change. Ordered by id and before any other user, to avoid deadlocks. */
export async function lockActiveAdmins(tx: TenantTx): Promise<string[]> {
  const admins = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('role', '=', sql.lit('admin'))
    .where('status', '=', sql.lit('active'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return admins.map(({ id }) => id)
}

/** Serializes manager changes, because two concurrent ones could create a cycle. Take it before any user lock. */
export async function lockReportingLines(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'reporting_lines')
}

/** Returns `userId` and the managers above it, nearest first, at most `maxSteps`. */
export async function listManagersAbove(tx: TenantTx, userId: string, maxSteps: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line (id, manager_id, step) as (
      select id, manager_id, 1 from identity.users where id = ${userId}
      union all
      select manager.id, manager.manager_id, line.step + 1
      from line join identity.users manager on manager.id = line.manager_id
      where line.step < ${maxSteps}
    )
    select id from line order by step
  `.execute(tx)
  return rows.map(({ id }) => id)
}
