import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { Links } from './link-actors.rules.ts'

export type LinkableActor = Links & {
  id: string
  is_account: boolean
  email: string | null
  domain: string | null
  account_actor_id: string | null
}

export async function lockLinkableActors(tx: TenantTx, ids: readonly string[]): Promise<LinkableActor[]> {
  const { rows } = await sql<LinkableActor>`
    select id, is_account, email, domain, account_actor_id, contact_id, lead_id, account_id, link_method from plg.actors
    where id = any (${ids}::uuid[]) and not link_locked and erased_at is null order by id for no key update
  `.execute(tx)
  return rows
}

export async function listEmailsOfAccounts(tx: TenantTx, accountActorIds: readonly string[], limit: number) {
  const { rows } = await sql<{ account_actor_id: string; emails: string[] }>`
    select account.id as account_actor_id, array(
      select email from plg.actors person where person.account_actor_id = account.id and person.email is not null
      limit ${limit}) as emails
    from unnest(${accountActorIds}::uuid[]) as account (id)
  `.execute(tx)
  return new Map(rows.map(({ account_actor_id, emails }) => [account_actor_id, emails]))
}

export async function listCrmAccountsOf(
  tx: TenantTx,
  accountActorIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('plg.actors')
    .select(['id', 'account_id'])
    .where('id', '=', sql<string>`any(${accountActorIds}::uuid[])`)
    .where('account_id', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, account_id }) => [id, account_id!]))
}

export type LinkUpdate = Links & { id: string; domain: string | null }

export async function updateLinks(tx: TenantTx, updates: readonly LinkUpdate[]): Promise<void> {
  if (!updates.length) return
  await sql`
    update plg.actors actor set contact_id = link.contact_id, lead_id = link.lead_id, account_id = link.account_id,
      link_method = link.link_method, domain = link.domain
    from json_to_recordset(${JSON.stringify(updates)}::json)
      as link (id uuid, contact_id uuid, lead_id uuid, account_id uuid, link_method text, domain text)
    where actor.id = link.id returning actor.id
  `.execute(tx)
}

/** People who moved to another account of the product have its points, and no longer those of the account before. */
export async function markEffectsOfMoved(
  tx: TenantTx,
  actorIds: readonly string[],
  maxLeadsPerAccount: number,
): Promise<void> {
  await sql`
    update plg.qualifications set effects_due = true
    where id = any (array(
      select id from plg.qualifications where lost_at is null and not effects_due and id = any (array(
        with people as materialized (
          select lead_id, account_actor_id from plg.actors
          where id = any (${actorIds}::uuid[]) and not is_account and lead_id is not null
        )
        select joined.id from people join plg.qualifications joined on joined.actor_id = people.account_actor_id
        where joined.is_account and joined.lost_at is null
          and not exists (select from plg.qualification_leads scored
            where scored.qualification_id = joined.id and scored.lead_id = people.lead_id)
          and (select count(*) from plg.qualification_leads scored where scored.qualification_id = joined.id) < ${maxLeadsPerAccount}
        union
        select left_account.id from people
        join plg.qualification_leads scored on scored.lead_id = people.lead_id
        join plg.qualifications left_account on left_account.id = scored.qualification_id
        where left_account.is_account and not exists (select from plg.actors colleague
          where colleague.lead_id = people.lead_id and colleague.account_actor_id = left_account.actor_id)))
      order by id for no key update))
  `.execute(tx)
}

type DeletedRecords = { contactIds: readonly string[]; leadIds: readonly string[]; accountIds: readonly string[] }

/** Removes links to deleted records, locked ones included, and returns the actors. */
export async function unlinkRecords(
  tx: TenantTx,
  { contactIds, leadIds, accountIds }: DeletedRecords,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with found as materialized (
      select id from plg.actors where id = any (array(
        select id from plg.actors where contact_id = any (${contactIds}::uuid[])
        union select id from plg.actors where lead_id = any (${leadIds}::uuid[])
        union select id from plg.actors where account_id = any (${accountIds}::uuid[])))
      order by id for no key update
    )
    update plg.actors actor set
      contact_id = case when contact_id = any (${contactIds}::uuid[]) then null else contact_id end,
      lead_id = case when lead_id = any (${leadIds}::uuid[]) then null else lead_id end,
      account_id = case when account_id = any (${accountIds}::uuid[]) then null else account_id end,
      link_locked = false
    from found where actor.id = found.id returning actor.id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** A converted lead is its contact. */
export async function replaceLeadByContact(tx: TenantTx, leadId: string, contactId: string): Promise<void> {
  await sql`
    update plg.actors set contact_id = ${contactId}::uuid, lead_id = null
    where id = any (array(select id from plg.actors where lead_id = ${leadId}::uuid order by id for no key update))
  `.execute(tx)
}
