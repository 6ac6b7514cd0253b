import { findContactCards, findLeadCards, getLead } from '#modules/crm'
import { timezoneOf } from '#modules/identity'
import { toInstantRange } from '#platform/calendar'
import type { Page, TenantTx } from '#platform/db'
import { invalid, notFound } from '#platform/errors'
import { findCampaigns, getCampaignRow } from '../campaigns/campaigns.queries.ts'
import { listMemberRows, listMembershipRows } from './list-members.queries.ts'
import type { MemberRow } from './members.queries.ts'
import type { CampaignMember, LeadCampaign, MemberQuery, MembershipQuery } from './members.schemas.ts'

type MemberList = (tx: TenantTx, campaignId: string, query: MemberQuery) => Promise<Page<CampaignMember>>

const listOfKind =
  (kind?: 'lead' | 'contact'): MemberList =>
  async (tx, campaignId, query) => {
    await getCampaignRow(tx, campaignId)
    const { status, responded, search, added_from, added_to, responded_from, responded_to, ...page } = query
    const ranges = await readRanges(tx, { added_from, added_to, responded_from, responded_to })
    const filter = { campaignId, kind, status, responded, search, ...ranges }
    const { items, ...rest } = await listMemberRows(tx, filter, page)
    return { ...rest, items: await toMembers(tx, items) }
  }

type Days = Pick<MemberQuery, 'added_from' | 'added_to' | 'responded_from' | 'responded_to'>

/** The time zone is only read if a day is given. */
async function readRanges(tx: TenantTx, days: Days) {
  const { added_from, added_to, responded_from, responded_to } = days
  assertOrder(added_from, added_to, 'added')
  assertOrder(responded_from, responded_to, 'responded')
  if (!Object.values(days).some(Boolean)) return {}
  const timezone = await timezoneOf(tx)
  return {
    added: toInstantRange({ from: added_from, through: added_to }, timezone),
    respondedAt: toInstantRange({ from: responded_from, through: responded_to }, timezone),
  }
}

function assertOrder(from: string | undefined, to: string | undefined, name: string): void {
  if (from && to && from > to)
    throw invalid('query', `/${name}_to`, 'order', `\`${name}_to\` must not be before \`${name}_from\`.`)
}

export const listCampaignMembers = listOfKind()
/** Members who are not contacts yet. */
export const listCampaignLeads = listOfKind('lead')
export const listCampaignContacts = listOfKind('contact')

export async function toMember(tx: TenantTx, member: MemberRow): Promise<CampaignMember> {
  return (await toMembers(tx, [member]))[0]!
}

async function toMembers(tx: TenantTx, members: readonly MemberRow[]): Promise<CampaignMember[]> {
  const [leads, contacts] = await Promise.all([
    findLeadCards(
      tx,
      members.flatMap(({ lead_id }) => lead_id ?? []),
    ),
    findContactCards(
      tx,
      members.flatMap(({ contact_id }) => contact_id ?? []),
    ),
  ])
  return members.map(({ lead_id, contact_id, ...member }) => ({
    ...(member as unknown as CampaignMember),
    lead: (lead_id && leads.get(lead_id)) || null,
    contact: (contact_id && contacts.get(contact_id)) || null,
  }))
}

export async function listLeadCampaigns(
  tx: TenantTx,
  leadId: string,
  page: MembershipQuery,
): Promise<Page<LeadCampaign>> {
  await getLead(tx, leadId)
  return await toMemberships(tx, await listMembershipRows(tx, { lead_id: leadId }, page))
}

export async function listContactCampaigns(
  tx: TenantTx,
  contactId: string,
  page: MembershipQuery,
): Promise<Page<LeadCampaign>> {
  if (!(await findContactCards(tx, [contactId])).size) throw notFound('contact')
  return await toMemberships(tx, await listMembershipRows(tx, { contact_id: contactId }, page))
}

async function toMemberships(tx: TenantTx, { items, ...rest }: Page<MemberRow>): Promise<Page<LeadCampaign>> {
  const campaigns = await findCampaigns(
    tx,
    items.map(({ campaign_id }) => campaign_id),
  )
  const byId = new Map(campaigns.map(({ id, name, type, status }) => [id, { id, name, type, status }]))
  return {
    ...rest,
    items: items.map((member) => ({
      ...(member as unknown as LeadCampaign),
      campaign: byId.get(member.campaign_id) as LeadCampaign['campaign'],
    })),
  }
}
