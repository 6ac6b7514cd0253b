import type { SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { notFound, roleRequired } from '#platform/errors'
import type { PageQuery } from '#platform/schema'
import { listLogins } from './login-history.queries.ts'
import { findUser } from './users.queries.ts'
import { canSeePrivateFields } from './users.rules.ts'

export async function readLoginHistory(tx: TenantTx, viewer: SignedIn, userId: string, page: PageQuery) {
  if (!canSeePrivateFields(viewer, userId))
    throw roleRequired('Only the person and admins may see when somebody signed in.')
  if (!(await findUser(tx, userId))) throw notFound('user')

  return await listLogins(tx, userId, page)
}
