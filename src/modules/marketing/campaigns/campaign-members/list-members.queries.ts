import { sql } from 'kysely'
import { matchesPersonSearch, searchPersons } from '#modules/crm'
import {
  type Condition,
  type Page,
  type PagePlan,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import type { SortedPageQuery } from '#platform/schema'
import { type MemberRow, memberColumns } from './members.queries.ts'

/** Times as ISO strings; `until` is exclusive. */
type TimeRange = { since?: string | undefined; until?: string | undefined }

export type MemberFilter = {
  campaignId: string
  kind?: 'lead' | 'contact'
  status?: string
  responded?: boolean
  added?: TimeRange
  respondedAt?: TimeRange
  search?: string
}

const table = 'marketing.campaign_members'
const column = (name: string) => sql.ref(`${table}.${name}`)
const orders: SortOrders = { first_touched_at: { by: { first_touched_at: 'timestamp' } } }
const newestFirst = '-first_touched_at'

export async function listMemberRows(
  tx: TenantTx,
  filter: MemberFilter,
  page: SortedPageQuery,
): Promise<Page<MemberRow>> {
  const plan: PagePlan = {
    table,
    columns: memberColumns,
    order: sortOrderOf(orders, page.sort ?? newestFirst),
    filters: filter,
    scans: [{ conditions: await toConditions(tx, filter) }],
  }
  return await readPage<MemberRow>(tx, plan, page)
}

async function toConditions(tx: TenantTx, filter: MemberFilter): Promise<Condition[]> {
  const { kind, status, responded, added, respondedAt } = filter
  return [
    ...(await membersOf(tx, filter)),
    sql`not ${column('is_hidden')}`,
    ...(kind ? [sql<boolean>`${column('is_contact')} = ${sql.lit(kind === 'contact')}`] : []),
    ...(status ? [sql<boolean>`${column('status')} = ${status}`] : []),
    ...(responded === undefined ? [] : [sql<boolean>`${column('responded')} = ${sql.lit(responded)}`]),
    ...isWithin('first_touched_at', added),
    ...isWithin('responded_at', respondedAt),
  ]
}

const isWithin = (name: string, { since, until }: TimeRange = {}): Condition[] => [
  ...(since ? [sql<boolean>`${column(name)} >= ${since}::timestamptz`] : []),
  ...(until ? [sql<boolean>`${column(name)} < ${until}::timestamptz`] : []),
]

/** A list of ids without the campaign, because with it the planner would read all members of the campaign. */
async function membersOf(tx: TenantTx, { campaignId, search }: MemberFilter): Promise<Condition[]> {
  const isOfCampaign = sql<boolean>`${column('campaign_id')} = ${campaignId}::uuid`
  if (!search) return [isOfCampaign]
  const found = await searchPersons(tx, search)
  if (found) return [sql`${column('id')} = any (${await listMemberIds(tx, campaignId, found)}::uuid[])`]
  return [isOfCampaign, matchesPersonSearch(search, { lead_id: column('lead_id'), contact_id: column('contact_id') })]
}

/** A member is found by its contact, or by its lead if it has no contact. */
async function listMemberIds(
  tx: TenantTx,
  campaignId: string,
  { leadIds, contactIds }: { leadIds: string[]; contactIds: string[] },
): Promise<string[]> {
  const members = sql<{ id: string }>`(
    select id from (
      select id, campaign_id, contact_id from marketing.campaign_members where lead_id = any (${leadIds}::uuid[]) offset 0
    ) as of_lead where campaign_id = ${campaignId} and contact_id is null
    union all
    select id from (
      select id, campaign_id from marketing.campaign_members where contact_id = any (${contactIds}::uuid[]) offset 0
    ) as of_contact where campaign_id = ${campaignId})`
  const rows = await tx.selectFrom(members.as('member')).select('member.id').execute()
  return rows.map(({ id }) => id)
}

type Person = { lead_id: string } | { contact_id: string }

export async function listMembershipRows(
  tx: TenantTx,
  person: Person,
  page: SortedPageQuery,
): Promise<Page<MemberRow>> {
  const isOfPerson =
    'lead_id' in person
      ? sql<boolean>`${column('lead_id')} = ${person.lead_id}::uuid`
      : sql<boolean>`${column('contact_id')} = ${person.contact_id}::uuid and not ${column('is_hidden')}`
  const plan: PagePlan = {
    table,
    columns: memberColumns,
    order: sortOrderOf(orders, page.sort ?? newestFirst),
    filters: person,
    scans: [{ conditions: [isOfPerson] }],
  }
  return await readPage<MemberRow>(tx, plan, page)
}

export async function listMemberIdsByStatus(
  tx: TenantTx,
  campaignId: string,
  status: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx
    .selectFrom(table)
    .select('id')
    .where('campaign_id', '=', campaignId)
    .where('status', '=', status)
    .where('is_hidden', '=', sql.lit(false))
    .orderBy('first_touched_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
