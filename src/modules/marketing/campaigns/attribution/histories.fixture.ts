import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { mergeMembersOfContacts } from '../campaign-members/person-changes.service.ts'
import { deleteCampaignRow } from '../campaigns/campaigns.queries.ts'
import { hasFrozenTouches, markDealsOfCampaign } from '../campaigns/existing-records.queries.ts'
import type { ModelDeal, ModelHistory } from './attribution-model.fixture.ts'
import { insertAttributionMarks } from './marks.queries.ts'

type Rows = readonly Record<string, unknown>[]
const toJson = (rows: Rows) => sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`

/** Inserts the records of all histories: contacts, copies of a campaign and copies of a deal. */
export async function insertHistories(
  tx: TenantTx,
  histories: readonly ModelHistory[],
  template: { campaign: string; deal: string },
): Promise<void> {
  const contacts = histories.flatMap((history) => history.contacts)
  await sql`
    insert into crm.contacts (id, last_name, name_key, search_text, source)
    select id, 'Moss', 'moss', ' moss', 'manual' from unnest(${contacts}::uuid[]) as id
  `.execute(tx)
  const campaigns = histories.flatMap((history) => history.campaigns)
  await sql`
    insert into marketing.campaigns (id, name, type, member_statuses, search_text)
    select copy.id, copy.id::text, type, member_statuses, search_text from marketing.campaigns template, unnest(${campaigns}::uuid[]) as copy (id)
    where template.id = ${template.campaign}
  `.execute(tx)
  const deals = histories.flatMap((history) => history.deals)
  const rows = deals.map(({ id, primary, createdAt, minor, currency, baseMinor }) => ({
    id,
    primary_contact_id: primary,
    created_at: new Date(createdAt),
    amount_minor: minor,
    amount_currency: currency,
    amount_base_minor: baseMinor,
  }))
  await sql`
    insert into crm.opportunities select (copied).* from (
      select jsonb_populate_record(template, copy) as copied
      from crm.opportunities template, jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as copy
      where template.id = ${template.deal} offset 0) as copies
  `.execute(tx)
  await markDeals(tx, deals)
}

const markDeals = (tx: TenantTx, deals: readonly ModelDeal[], is_closing = false) =>
  insertAttributionMarks(
    tx,
    deals.map(({ id }) => ({ record_type: 'opportunity', record_id: id, is_closing })),
  )

const markContacts = (tx: TenantTx, contacts: readonly string[]) =>
  insertAttributionMarks(
    tx,
    contacts.map((record_id) => ({ record_type: 'contact', record_id })),
  )

/** Writes the state of deals, as changes of them do. */
export async function writeDeals(tx: TenantTx, deals: readonly ModelDeal[], isClosing = false): Promise<void> {
  const rows = deals.map(({ id, kind, minor, currency, baseMinor, closedAt, isDeleted }) => ({
    id,
    kind,
    minor,
    currency,
    base: baseMinor,
    closed_at: closedAt && new Date(closedAt),
    is_deleted: isDeleted,
  }))
  await sql`
    update crm.opportunities deal set kind = state.kind, amount_minor = state.minor, amount_currency = state.currency,
      amount_base_minor = state.base, closed_at = state.closed_at, lost_reason = case when state.kind = 'lost' then 'price' end,
      deleted_at = case when state.is_deleted then now() end
    from ${toJson(rows)} as state (id uuid, kind text, minor bigint, currency text, base bigint, closed_at timestamptz, is_deleted boolean)
    where deal.id = state.id
  `.execute(tx)
  await markDeals(tx, deals, isClosing)
}

export async function writeRoles(tx: TenantTx, deals: readonly ModelDeal[]): Promise<void> {
  const ids = deals.map(({ id }) => id)
  const roles = deals.flatMap((deal) => [...deal.roles].map((contact) => ({ deal: deal.id, contact })))
  await sql`delete from crm.opportunity_contacts where opportunity_id = any (${ids}::uuid[])`.execute(tx)
  await sql`
    insert into crm.opportunity_contacts (opportunity_id, contact_id)
    select deal, contact from ${toJson(roles)} as role (deal uuid, contact uuid)
  `.execute(tx)
  await markDeals(tx, deals)
}

type Member = ModelHistory['members'] extends Map<string, infer M> ? M : never

export async function writeMembers(tx: TenantTx, members: readonly Member[]): Promise<void> {
  const rows = members.map(({ campaign, contact, touchedAt, respondedAt }) => ({
    id: newId(),
    campaign,
    contact,
    touched: new Date(touchedAt),
    responded: respondedAt && new Date(respondedAt),
  }))
  await sql`
    insert into marketing.campaign_members (id, campaign_id, contact_id, status, first_touched_at, responded_at, added_via)
    select id, campaign, contact, case when responded is null then 'targeted' else 'clicked' end, touched, responded, 'manual'
    from ${toJson(rows)} as row (id uuid, campaign uuid, contact uuid, touched timestamptz, responded timestamptz)
    on conflict (tenant_id, campaign_id, contact_id) do update
      set responded_at = excluded.responded_at, first_touched_at = excluded.first_touched_at, status = excluded.status
  `.execute(tx)
  await markContacts(
    tx,
    members.map(({ contact }) => contact),
  )
}

export async function removeMembers(tx: TenantTx, members: readonly Member[]): Promise<void> {
  await sql`
    delete from marketing.campaign_members member using ${toJson(members)} as gone (campaign uuid, contact uuid)
    where member.campaign_id = gone.campaign and member.contact_id = gone.contact
  `.execute(tx)
  await markContacts(
    tx,
    members.map(({ contact }) => contact),
  )
}

/** Repoints what refers to the contact, as a merge in crm does, and then runs its subscriber. */
export async function mergeContacts(tx: TenantTx, from: string, into: string): Promise<void> {
  await sql`
    update marketing.campaign_members member set contact_id = ${into} where contact_id = ${from}::uuid and not exists (
      select from marketing.campaign_members other where other.contact_id = ${into}::uuid and other.campaign_id = member.campaign_id)
  `.execute(tx)
  await sql`update crm.opportunities set primary_contact_id = ${into} where primary_contact_id = ${from}::uuid`.execute(
    tx,
  )
  await sql`
    insert into crm.opportunity_contacts (opportunity_id, contact_id)
    select opportunity_id, ${into}::uuid from crm.opportunity_contacts where contact_id = ${from}::uuid on conflict do nothing
  `.execute(tx)
  await sql`delete from crm.opportunity_contacts where contact_id = ${from}::uuid`.execute(tx)
  await mergeMembersOfContacts(tx, into, [from])
}

/** Returns whether the campaign was deleted. */
export async function deleteUnlessFrozen(tx: TenantTx, campaign: string): Promise<boolean> {
  if (await hasFrozenTouches(tx, campaign)) return false
  await markDealsOfCampaign(tx, campaign)
  await deleteCampaignRow(tx, campaign)
  return true
}

export async function describeTouches(tx: TenantTx): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', opportunity_id, campaign_id, (extract(epoch from touch_at) * 1000)::bigint, position || '/' || touch.of, first_minor,
      last_minor, linear_minor, kind, frozen, is_hidden) as line
    from marketing.opportunity_touches touch
  `.execute(tx)
  return rows.map(({ line }) => line.replace(/ t(?= |$)/g, ' true').replace(/ f(?= |$)/g, ' false'))
}

/** Deals whose shares do not add up to their amount, in any model. */
export async function listWrongSums(tx: TenantTx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select touch.opportunity_id as id from marketing.opportunity_touches touch
    join crm.opportunities deal on deal.id = touch.opportunity_id
    group by touch.opportunity_id, deal.amount_base_minor
    having array[sum(first_minor), sum(last_minor), sum(linear_minor)] <> array_fill(deal.amount_base_minor::numeric, array[3])
  `.execute(tx)
  return rows.map(({ id }) => id)
}
