import { sql } from 'kysely'
import type { ListRecordsWithSentEmails } from '#modules/crm'

export const listRecordsWithSentEmails: ListRecordsWithSentEmails = async (tx, objectType, ids) => {
  const { rows } = await sql<{ id: string }>`
    select record.id from unnest(${ids}::uuid[]) as record (id)
    where exists (select from crm.email_messages email
      where email.${sql.ref(`${objectType}_id`)} = record.id and email.sent_at is not null)
  `.execute(tx)
  return rows.map(({ id }) => id)
}
