import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const maxReports = 50

export function listDirectReports(tx: TenantTx, userId: string) {
  return tx
    .selectFrom('identity.users')
    .select(['id', 'name'])
    .where('manager_id', '=', userId)
    .where('status', 'in', [sql.lit('active'), sql.lit('invited')])
    .orderBy('name_key')
    .orderBy('id')
    .limit(sql.lit(maxReports))
    .execute()
}
