import { recordAuditEntries } from '#platform/audit'
import { lockTree, type TenantTx } from '#platform/db'
import { teamTree } from '../teams/team-tree.queries.ts'
import { clearManagers, deleteSampleUserRows, deleteTeamsWithoutSubTeams } from './remove-sample.queries.ts'

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

/** References of other records to the users become null. */
export async function removeSampleUsers(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await clearManagers(tx, ids)
  const deleted = await deleteSampleUserRows(tx, ids)
  await recordAuditEntries(
    tx,
    'user.deleted',
    deleted.map(({ id, name }) => ({ id, label: name })),
  )
}
