import { sql } from 'kysely'
import { holdTurn, type TenantTx } from '#platform/db'

/** One conversion at a time for the same company, so that the second finds the account of the first. After the domain. */
export async function holdCompany(tx: TenantTx, companyKey: string): Promise<void> {
  await holdTurn(tx, `account_name:${companyKey}`)
}

/** Of several accounts of one name the oldest. */
export async function findAccountIdByName(tx: TenantTx, nameKey: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('crm.accounts')
    .select('id')
    .where('name_key', '=', nameKey)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found?.id
}

/** What happened with a converted lead happened with its contact and account. Tells how many entries learnt it. */
export async function carryHistory(tx: TenantTx, leadId: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update crm.activities entry set contact_id = lead.converted_contact_id, account_id = lead.converted_account_id
    from crm.leads lead
    where lead.id = ${leadId} and lead.converted_contact_id is not null
      -- Found first, and then looked up by their ids: joined, all activities there are would be read.
      and entry.id = any (array(
        select id from crm.activities where lead_id = ${leadId} and contact_id is null limit ${limit}))
  `.execute(tx)
  return Number(numAffectedRows)
}
