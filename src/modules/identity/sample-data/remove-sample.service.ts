import { recordAuditEntries } from '#platform/audit'
import { deleteUnlessReferenced, lockTree, type TenantTx } from '#platform/db'
import { teamTree } from '../workspace/teams/team-tree.queries.ts'
import {
  clearManagers,
  deleteSampleUserRow,
  deleteTeamsWithoutSubTeams,
  listSampleUsers,
} from './remove-sample.queries.ts'

/** Returns the teams that are kept, because other teams are below them. */
export async function removeSampleTeams(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  await lockTree(tx, teamTree)
  const deleted = await deleteTeamsWithoutSubTeams(tx, ids)
  await recordAuditEntries(
    tx,
    'team.deleted',
    deleted.map(({ id, name }) => ({ id, label: name })),
  )
  const deletedIds = new Set(deleted.map(({ id }) => id))
  return ids.filter((id) => !deletedIds.has(id))
}

/** References of other records to the users become null. Returns users that are kept, because records need their author. */
export async function removeSampleUsers(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  await clearManagers(tx, ids)
  const users = await listSampleUsers(tx, ids)
  const deleted: typeof users = []
  for (const user of users)
    if (await deleteUnlessReferenced(tx, () => deleteSampleUserRow(tx, user.id))) deleted.push(user)
  await recordAuditEntries(
    tx,
    'user.deleted',
    deleted.map(({ id, name }) => ({ id, label: name })),
  )
  return users.filter((user) => !deleted.includes(user)).map(({ id }) => id)
}
