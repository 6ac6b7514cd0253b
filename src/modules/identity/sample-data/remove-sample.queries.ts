import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const anyOf = (ids: readonly string[]) => sql<string>`any(${ids}::uuid[])`

export function deleteTeamsWithoutSubTeams(tx: TenantTx, ids: readonly string[]) {
  return tx
    .deleteFrom('identity.teams as team')
    .where('team.id', '=', anyOf(ids))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('identity.teams as child')
            .select('child.id')
            .whereRef('child.parent_team_id', '=', 'team.id')
            .where(({ not, eb }) => not(eb('child.id', '=', anyOf(ids)))),
        ),
      ),
    )
    .returning(['team.id', 'team.name'])
    .execute()
}

/** Locks the users and those who report to them, by id, before both are changed. */
export async function clearManagers(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`
    select id from identity.users where id = ${anyOf(ids)} or manager_id = ${anyOf(ids)} order by id for update
  `.execute(tx)
  await tx.updateTable('identity.users').set({ manager_id: null }).where('manager_id', '=', anyOf(ids)).execute()
}

export function listSampleUsers(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('identity.users')
    .select(['id', 'name'])
    .where('id', '=', anyOf(ids))
    .where('source', '=', 'sample')
    .orderBy('id')
    .execute()
}

export async function deleteSampleUserRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('identity.users').where('id', '=', id).execute()
}
