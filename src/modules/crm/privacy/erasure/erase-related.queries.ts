import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type OpportunityRow, opportunityColumns } from '../../deals/opportunities/opportunities.queries.ts'

export async function hasOtherContacts(tx: TenantTx, accountId: string, contactIds: readonly string[]) {
  const other = await tx
    .selectFrom('crm.contacts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '<>', sql<string>`all(${contactIds}::uuid[])`)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export const lockDealsIncludingDeleted = (tx: TenantTx, ids: readonly string[]): Promise<OpportunityRow[]> =>
  tx
    .selectFrom('crm.opportunities')
    .select(opportunityColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
