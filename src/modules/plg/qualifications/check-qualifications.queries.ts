import { type SqlBool, sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx } from '#platform/db'

export const listTenantsWithQualifications = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'plg.qualifications', sql<SqlBool>`lost_at is null`))
