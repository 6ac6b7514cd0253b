import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { notFound, roleRequired } from '#platform/errors'
import type { PageQuery } from '#platform/schema'
import { findUser } from '../../workspace/user-records/users.queries.ts'
import { canSeePrivateFields } from '../../workspace/user-records/users.rules.ts'
import { listLoginRows } from './login-history.queries.ts'

export async function listUserLogins(tx: TenantTx, viewer: UserActor, userId: string, page: PageQuery) {
  if (!canSeePrivateFields(viewer, userId)) throw roleRequired('Only the user and admins can see these sign-ins.')
  if (!(await findUser(tx, userId))) throw notFound('user')

  return await listLoginRows(tx, userId, page)
}
