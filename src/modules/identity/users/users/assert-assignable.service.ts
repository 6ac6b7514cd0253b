import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { filterActiveUserIds } from './user-names.queries.ts'

export async function assertAssignable(tx: TenantTx, ownerId: string | null | undefined, path = '/owner_id') {
  if (ownerId && !(await filterActiveUserIds(tx, [ownerId])).has(ownerId)) throw unknownReference(path, 'active user')
}
