import { assertAssignable, filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { requiredParam } from './bulk.rules.ts'

type OwnerParams = { owner_id?: string | null; distribute_to?: readonly string[] }

/** Checks the parameters of `assign`. */
export async function assertOwnerParams(tx: TenantTx, { owner_id, distribute_to }: OwnerParams): Promise<void> {
  if ((owner_id === undefined) === (distribute_to === undefined))
    throw requiredParam('owner_id', 'Exactly one of `owner_id` and `distribute_to` is required.')
  await assertAssignable(tx, owner_id)
  const active = await filterActiveUserIds(tx, distribute_to ?? [])
  const inactive = distribute_to?.findIndex((id) => !active.has(id)) ?? -1
  if (inactive >= 0) throw unknownReference(`/distribute_to/${inactive}`, 'active user')
}
