import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'

export async function assertAssignable(tx: TenantTx, ownerId: string | null | undefined, path = '/owner_id') {
  if (ownerId && !(await filterActiveUserIds(tx, [ownerId])).has(ownerId)) throw unknownReference(path, 'active user')
}
