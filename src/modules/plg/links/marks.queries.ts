import { type SqlBool, sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

export const listTenantsWithMarks = async (tx: SystemTx): Promise<string[]> => {
  const marked = await listTenantsWithRows(tx, 'plg.actor_marks')
  const withEffects = await listTenantsAsRetention(tx, (retention) =>
    listTenantsWithRows(retention, 'plg.qualifications', sql<SqlBool>`effects_due`),
  )
  return [...new Set([...marked, ...withEffects])]
}

export type Mark = { actor_id: string; ingest_seq: number; active_on: string[] }

/** In the order of arrival, so that new actors are reached while others stay busy. */
export async function listMarks(tx: TenantTx, limit: number): Promise<Mark[]> {
  const { rows } = await sql<Mark>`
    select actor_id, ingest_seq, active_on::text[] as active_on from plg.actor_marks order by ingest_seq, actor_id limit ${limit}
  `.execute(tx)
  return rows
}

/** Marks that were added since they were read stay. */
export async function deleteMarks(tx: TenantTx, marks: readonly Mark[]): Promise<void> {
  await sql`
    delete from plg.actor_marks mark
    using unnest(${marks.map(({ actor_id }) => actor_id)}::uuid[], ${marks.map(({ ingest_seq }) => ingest_seq)}::bigint[]) as done (actor_id, ingest_seq)
    where mark.actor_id = done.actor_id and mark.ingest_seq = done.ingest_seq
  `.execute(tx)
}

type MarkedActors = { emails?: readonly string[]; contactIds?: readonly string[]; leadIds?: readonly string[] }

/** Marks people with one of the email addresses or links. The number is new, so that a mark that is being handled is not lost. */
export async function markPeople(
  tx: TenantTx,
  { emails = [], contactIds = [], leadIds = [] }: MarkedActors,
): Promise<void> {
  await sql`
    insert into plg.actor_marks (actor_id, ingest_seq)
    select id, nextval('plg.ingest_seq') from (
      select id from plg.actors where email_key = any (${emails.map((email) => email.toLowerCase())}::text[]) and erased_at is null
      union select id from plg.actors where contact_id = any (${contactIds}::uuid[])
      union select id from plg.actors where lead_id = any (${leadIds}::uuid[])) as people
  `.execute(tx)
}

export async function markAccounts(
  tx: TenantTx,
  { domains, accountIds }: { domains: readonly string[]; accountIds: readonly string[] },
): Promise<void> {
  await sql`
    insert into plg.actor_marks (actor_id, ingest_seq)
    select id, nextval('plg.ingest_seq') from (
      select id from plg.actors where domain = any (${domains}::text[]) and is_account and erased_at is null
      union select id from plg.actors where account_id = any (${accountIds}::uuid[])) as accounts
  `.execute(tx)
}

/** Marks the people of product accounts whose link changed; people with a contact keep the account of the contact. */
export async function markPeopleOfAccounts(tx: TenantTx, accountActorIds: readonly string[]): Promise<void> {
  await sql`
    insert into plg.actor_marks (actor_id, ingest_seq)
    select id, nextval('plg.ingest_seq') from plg.actors
    where account_actor_id = any (${accountActorIds}::uuid[]) and contact_id is null and erased_at is null
  `.execute(tx)
}

/** Marks actors that were active in the given months, for rules that are new. */
export async function markActiveActors(
  tx: TenantTx,
  { generation, months }: { generation: number; months: readonly string[] },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into plg.actor_marks (actor_id, ingest_seq)
    select actor_id, nextval('plg.ingest_seq') from (
      select distinct actor_id from plg.actor_periods
      where generation = ${generation} and is_account = any (array[false, true]) and month_on = any (${months}::date[])) as active
  `.execute(tx)
  return Number(numAffectedRows)
}
