import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

type NewEmailRow = {
  id: string
  kind: string
  ref_id: string
  to_address: string
  to_key: string
  to_name: string | null
  lead_id: string | null
  contact_id: string | null
  run_at: Date
  counted_on: string | null
  created_by: string | null
}

export async function insertEmails(tx: TenantTx, emails: readonly NewEmailRow[]): Promise<void> {
  const { columns, rows } = selectRows(emails, {
    id: 'uuid',
    kind: 'text',
    ref_id: 'uuid',
    to_address: 'text',
    to_key: 'text',
    to_name: 'text',
    lead_id: 'uuid',
    contact_id: 'uuid',
    run_at: 'timestamptz',
    counted_on: 'date',
    created_by: 'uuid',
  })
  await tx
    .insertInto('crm.email_messages')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .execute()
}

export type DueEmail = {
  id: string
  kind: string
  ref_id: string
  to_address: string
  to_name: string | null
  lead_id: string | null
  contact_id: string | null
  attempts: number
  run_at: Date
  counted_on: string | null
  created_by: string | null
}

type DueFilter = { kinds: readonly string[]; now: Date; limit: number }

export async function listDueEmails(tx: TenantTx, { kinds, now, limit }: DueFilter): Promise<DueEmail[]> {
  const { rows } = await sql<DueEmail>`
    select id, kind, ref_id, to_address, to_name, lead_id, contact_id, attempts, run_at, counted_on::text, created_by
    from crm.email_messages
    where state = 'waiting' and run_at <= ${now} and kind = any(${kinds}::text[])
    order by run_at, id
    limit ${limit}
  `.execute(tx)
  return rows
}

export type PostponableEmail = Pick<DueEmail, 'id' | 'kind' | 'ref_id' | 'run_at'>

export async function listUncountedEmails(
  tx: TenantTx,
  { kinds, now, limit, day }: DueFilter & { day: string },
): Promise<PostponableEmail[]> {
  const { rows } = await sql<PostponableEmail>`
    select id, kind, ref_id, run_at from crm.email_messages
    where state = 'waiting' and run_at <= ${now} and kind = any(${kinds}::text[]) and counted_on is distinct from ${day}::date
    order by run_at, id
    limit ${limit}
  `.execute(tx)
  return rows
}

export async function lockWaitingEmails(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('crm.email_messages')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', '=', sql.lit('waiting'))
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export type EmailClaim = {
  id: string
  state: 'claimed' | 'skipped' | 'waiting' | 'failed'
  message_id?: string
  subject?: string
  body_text?: string
  body_html?: string
  skip_reason?: string
  attempts?: number
  run_at?: Date
  last_error?: string
  counted_on?: string
}

type Claiming = { claimId: string; now: Date }

export async function updateDueEmails(
  tx: TenantTx,
  claims: readonly EmailClaim[],
  { claimId, now }: Claiming,
): Promise<void> {
  await sql`
    update crm.email_messages message
    set state = claim.state, claim_id = ${claimId}, claimed_at = ${now},
      message_id = coalesce(claim.message_id, message.message_id),
      subject = claim.subject, body_text = claim.body_text, body_html = claim.body_html, skip_reason = claim.skip_reason,
      attempts = coalesce(claim.attempts, message.attempts), run_at = coalesce(claim.run_at, message.run_at),
      last_error = coalesce(claim.last_error, message.last_error), counted_on = coalesce(claim.counted_on, message.counted_on)
    from json_to_recordset(${JSON.stringify(claims)}::json) as claim (id uuid, state text, message_id text,
      subject text, body_text text, body_html text, skip_reason text, attempts smallint, run_at timestamptz, last_error text,
      counted_on date)
    where message.id = claim.id and message.id = any(${claims.map(({ id }) => id)}::uuid[])
    returning message.id
  `.execute(tx)
}

export type SendResult = {
  id: string
  address: string
  state: 'sent' | 'failed' | 'bounced' | 'uncertain' | 'waiting'
  attempts?: number
  run_at?: Date
  sent_at?: Date
  last_error?: string
}

export async function lockClaimedEmails(tx: TenantTx, claimId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('crm.email_messages')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('claim_id', '=', claimId)
    .where('state', 'in', ['claimed', 'uncertain'])
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateClaimedEmails(tx: TenantTx, results: readonly SendResult[]): Promise<EmailRef[]> {
  const { rows } = await sql<EmailRef>`
    update crm.email_messages message
    set state = result.state, sent_at = result.sent_at, attempts = coalesce(result.attempts, message.attempts),
      run_at = coalesce(result.run_at, message.run_at), last_error = result.last_error
    from json_to_recordset(${JSON.stringify(results)}::json) as result (id uuid, state text, sent_at timestamptz,
      attempts smallint, run_at timestamptz, last_error text)
    where message.id = result.id and message.id = any(${results.map(({ id }) => id)}::uuid[])
    returning message.id, message.kind, message.ref_id, message.state, null as reason
  `.execute(tx)
  return rows
}

export type EmailRef = { id: string; kind: string; ref_id: string; state: string; reason: string | null }

export async function markExpiredClaims(tx: TenantTx, claimedBefore: Date, limit: number): Promise<EmailRef[]> {
  const { rows } = await sql<EmailRef>`
    update crm.email_messages set state = 'uncertain', last_error = 'The worker ended before the result was stored.'
    where id = any(array(
      select id from crm.email_messages where state = 'claimed' and claimed_at < ${claimedBefore}
      order by claimed_at, id limit ${limit} for update skip locked))
    returning id, kind, ref_id, state, null as reason
  `.execute(tx)
  return rows
}

export type NextDispatch = { known_at: Date | null; waiting_at: Date | null; claimed_at: Date | null }

export async function findNextDispatch(tx: TenantTx, kinds: readonly string[]): Promise<NextDispatch> {
  const { rows } = await sql<NextDispatch>`
    select
      (select run_at from crm.email_messages where state = 'waiting' and kind = any(${kinds}::text[])
        order by run_at, id limit 1) as known_at,
      (select run_at from crm.email_messages where state = 'waiting' order by run_at, id limit 1) as waiting_at,
      (select claimed_at from crm.email_messages where state = 'claimed' order by claimed_at, id limit 1) as claimed_at
  `.execute(tx)
  return rows[0]!
}

export async function listUncertainEmailIds(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('crm.email_messages')
    .select('id')
    .where('state', '=', sql.lit('uncertain'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Emails of earlier versions. The tokens of later ones are not stored. */
export const findEmailByToken = (tx: TenantTx, tokenHash: Buffer) =>
  tx
    .selectFrom('crm.email_messages')
    .select(['id', 'kind', 'to_address'])
    .where('unsubscribe_token_hash', '=', tokenHash)
    .executeTakeFirst()

const sentEmailColumns = ['id', 'kind', 'ref_id', 'to_address', 'state', 'message_id', 'lead_id', 'contact_id'] as const

export type SentEmail = {
  id: string
  kind: string
  ref_id: string
  to_address: string | null
  state: string
  message_id: string | null
  lead_id: string | null
  contact_id: string | null
}

export const listEmailsByMessageIds = (tx: TenantTx, messageIds: readonly string[]): Promise<SentEmail[]> =>
  tx
    .selectFrom('crm.email_messages')
    .select(sentEmailColumns)
    .where('message_id', '=', sql<string>`any(${messageIds}::text[])`)
    .execute()

/** Emails of `preferredKinds` come before all others. */
export const findNewestEmailTo = (
  tx: TenantTx,
  emailKey: string,
  since: Date,
  preferredKinds: readonly string[] = [],
): Promise<SentEmail | undefined> =>
  tx
    .selectFrom('crm.email_messages')
    .select(sentEmailColumns)
    .where('to_key', '=', emailKey)
    .where('message_id', 'is not', null)
    .where('run_at', '>', since)
    .orderBy(sql`kind = any(${preferredKinds}::text[])`, 'desc')
    .orderBy('run_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function updateEmailRow(
  tx: TenantTx,
  id: string,
  changes: { state?: string; sent_at?: Date; replied_at?: Date },
): Promise<void> {
  await tx.updateTable('crm.email_messages').set(changes).where('id', '=', id).execute()
}

/** Skips all emails that were queued when a backup was created. Their workers may have sent them since. */
export async function skipQueuedEmails(tx: TenantTx, reason: string): Promise<number> {
  const skipped = await tx
    .updateTable('crm.email_messages')
    .set({ state: 'skipped', skip_reason: reason })
    .where('state', 'in', ['waiting', 'claimed'])
    .returning('id')
    .execute()
  return skipped.length
}
