import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { ErasedPerson } from '#platform/module'

/** Erases recipient and content of one batch of emails. The result of a message that is being sent has no effect any more. */
export async function eraseEmails(tx: TenantTx, person: ErasedPerson, limit: number): Promise<number> {
  const { email_keys, lead_ids, contact_ids } = person
  const { numAffectedRows = 0n } = await sql`
    update crm.email_messages set to_address = null, to_key = null, to_name = null, subject = null, body_text = null,
      body_html = null, last_error = null, unsubscribe_token_hash = null,
      claim_id = case when state <> 'claimed' then claim_id end,
      skip_reason = case when state in ('waiting', 'claimed') then 'erased' else skip_reason end,
      state = case when state in ('waiting', 'claimed') then 'skipped' else state end
    where id = any (array(
      select id from crm.email_messages
      where (to_key = any (${email_keys}::text[]) or lead_id = any (${lead_ids}::uuid[]) or contact_id = any (${contact_ids}::uuid[]))
        and num_nonnulls(to_address, to_key, to_name, subject, body_text, body_html, last_error, unsubscribe_token_hash) > 0
      order by id limit ${sql.lit(limit)} for update))
  `.execute(tx)
  return Number(numAffectedRows)
}
