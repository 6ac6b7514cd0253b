import { sql } from 'kysely'
import { type TenantTx, tenantIdOf } from '#platform/db'

export async function findTenantWithoutAdmin(tx: TenantTx): Promise<string[]> {
  const admin = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return admin ? [] : [tenantIdOf(tx)]
}

export async function listSessionsOfInactiveUsers(tx: TenantTx, limit: number): Promise<string[]> {
  const sessions = await tx
    .selectFrom('identity.sessions as s')
    .innerJoin('identity.users as u', 'u.id', 's.user_id')
    .select('s.id')
    .where('s.revoked_at', 'is', null)
    .where('u.status', 'in', ['deactivated', 'erased'])
    .orderBy('s.id')
    .limit(limit)
    .execute()
  return sessions.map(({ id }) => id)
}
