import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function listInactiveUserIds(tx: TenantTx): Promise<string[]> {
  const users = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('status', 'in', ['deactivated', 'erased'])
    .execute()
  return users.map(({ id }) => id)
}

export async function findActiveManagers(tx: TenantTx, userIds: readonly string[]): Promise<Map<string, string>> {
  const users = await tx
    .selectFrom('identity.users as u')
    .innerJoin('identity.users as manager', 'manager.id', 'u.manager_id')
    .select(['u.id', 'manager.id as manager_id'])
    .where('u.id', '=', sql<string>`any(${userIds}::uuid[])`)
    .where('manager.status', '=', 'active')
    .execute()
  return new Map(users.map(({ id, manager_id }) => [id, manager_id]))
}
