import { sql } from 'kysely'
import { acquireAdvisoryLock, type TenantTx } from '#platform/db'

/** Serializes conversions for the same company name. Take this lock after the domain lock. */
export async function lockCompanyName(tx: TenantTx, companyKey: string): Promise<void> {
  await acquireAdvisoryLock(tx, `account_name:${companyKey}`)
}

export async function findAccountIdByName(tx: TenantTx, nameKey: string): Promise<string | undefined> {
  const account = await tx
    .selectFrom('crm.accounts')
    .select('id')
    .where('name_key', '=', nameKey)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return account?.id
}

export async function linkLeadActivities(tx: TenantTx, leadId: string, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update crm.activities activity set contact_id = lead.converted_contact_id, account_id = lead.converted_account_id
    from crm.leads lead
    where lead.id = ${leadId} and lead.converted_contact_id is not null
      -- An id array instead of a join, because a join would scan all activities.
      and activity.id = any (array(
        select id from crm.activities where lead_id = ${leadId} and contact_id is null
        order by id limit ${limit} for no key update))
  `.execute(tx)
  return Number(numAffectedRows)
}
