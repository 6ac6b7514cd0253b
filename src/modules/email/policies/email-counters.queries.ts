import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

export async function findSendCount(tx: TenantTx, day: string): Promise<number> {
  const row = await tx.selectFrom('crm.email_send_counters').select('emails').where('day', '=', day).executeTakeFirst()
  return row?.emails ?? 0
}

export async function lockSendCount(tx: TenantTx, day: string): Promise<number | undefined> {
  const row = await tx
    .selectFrom('crm.email_send_counters')
    .select(['day', 'emails'])
    .where('day', '=', day)
    .forUpdate()
    .executeTakeFirst()
  return row?.emails
}

export type EmailCounts = { emails: number; bounced: number; complained: number }

export async function addEmailCounts(
  tx: TenantTx,
  day: string,
  { emails = 0, bounced = 0, complained = 0 }: Partial<EmailCounts>,
): Promise<void> {
  await tx
    .insertInto('crm.email_send_counters')
    .values({ day, emails, bounced, complained })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'day']).doUpdateSet({
        emails: sql`email_send_counters.emails + excluded.emails`,
        bounced: sql`email_send_counters.bounced + excluded.bounced`,
        complained: sql`email_send_counters.complained + excluded.complained`,
      }),
    )
    .returning('day')
    .execute()
}

export async function sumEmailCounts(tx: TenantTx, since: string): Promise<EmailCounts> {
  const { rows } = await sql<EmailCounts>`
    select coalesce(sum(emails), 0)::integer as emails, coalesce(sum(bounced), 0)::integer as bounced,
      coalesce(sum(complained), 0)::integer as complained
    from crm.email_send_counters where day >= ${since}::date
  `.execute(tx)
  return rows[0]!
}

export async function listAddressCounts(
  tx: TenantTx,
  day: string,
  userIds: readonly string[],
): Promise<Map<string, number>> {
  if (!userIds.length) return new Map()
  const rows = await tx
    .selectFrom('crm.email_address_counters')
    .select(['user_id', 'emails'])
    .where('day', '=', day)
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .execute()
  return new Map(rows.map(({ user_id, emails }) => [user_id, emails]))
}

export async function addAddressCounts(tx: TenantTx, day: string, counts: ReadonlyMap<string, number>): Promise<void> {
  if (!counts.size) return
  const { columns, rows } = selectRows(
    [...counts].map(([user_id, emails]) => ({ day, user_id, emails })),
    { day: 'date', user_id: 'uuid', emails: 'integer' },
  )
  await tx
    .insertInto('crm.email_address_counters')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'day', 'user_id'])
        .doUpdateSet({ emails: sql`email_address_counters.emails + excluded.emails` }),
    )
    .execute()
}
