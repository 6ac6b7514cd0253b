import { sql } from 'kysely'
import { holdTurn, type TenantTx } from '#platform/db'

/**
 * The active admins. While they are locked nobody else can take one away, so counting them is safe. Always in the same
 * order, and ahead of any other user, so that two of these never wait for each other.
 */
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

/** Two changes that are harmless alone could close a circle together, so they wait for each other. Ahead of any user. */
export async function lockReportingLines(tx: TenantTx): Promise<void> {
  await holdTurn(tx, 'reporting_lines')
}

/** The managers above somebody, the nearest first, starting with `userId`; no more than `maxSteps`. */
export async function managersAbove(tx: TenantTx, userId: string, maxSteps: number): Promise<string[]> {
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
