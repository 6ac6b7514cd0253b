import { type Static, Type } from 'typebox'
import {
  CalendarDay,
  clearable,
  Id,
  listQuery,
  named,
  nullable,
  Search,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { campaignStatuses } from '../campaigns/campaign-status.rules.ts'
import { StatusKey } from '../campaigns/campaigns.schemas.ts'
import { campaignTypes } from '../campaigns/default-statuses.rules.ts'

const text = nullable(Type.String())

const memberProperties = {
  id: Id,
  campaign_id: Id,
  status: Type.String(),
  responded: Type.Boolean(),
  first_touched_at: Timestamp,
  responded_at: nullable(Timestamp),
  added_via: Type.Enum(['manual', 'segment', 'cadence', 'utm', 'import', 'api']),
  added_by: nullable(Id),
  note: text,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const CampaignMember = named(
  'CampaignMember',
  strict({
    ...memberProperties,
    lead: nullable(strict({ id: Id, name: text, email: text, company: text, status: Type.String() })),
    contact: nullable(strict({ id: Id, name: text, email: text, title: text, account_name: text })),
  }),
)
export type CampaignMember = Static<typeof CampaignMember>

export const LeadCampaign = named(
  'LeadCampaign',
  strict({
    ...memberProperties,
    campaign: strict({
      id: Id,
      name: Type.String(),
      type: Type.Enum([...campaignTypes]),
      status: Type.Enum([...campaignStatuses]),
    }),
  }),
)
export type LeadCampaign = Static<typeof LeadCampaign>

const sort = sortOrder(['-first_touched_at', 'first_touched_at'])

const day = (text: string) =>
  Type.Optional({ ...CalendarDay, description: `${text}, in the time zone of the workspace.` })

export const MemberQuery = listQuery({
  sort,
  status: Type.Optional(StatusKey),
  responded: Type.Optional(Type.Boolean()),
  added_from: day('First day of `first_touched_at`'),
  added_to: day('Last day of `first_touched_at`'),
  responded_from: day('First day of `responded_at`'),
  responded_to: day('Last day of `responded_at`'),
  search: Type.Optional(Search),
})
export type MemberQuery = Static<typeof MemberQuery>

export const MembershipQuery = listQuery({ sort })
export type MembershipQuery = Static<typeof MembershipQuery>

const ids = (description: string) => Type.Array(Id, { minItems: 1, maxItems: 10_000, description })

export const NewMembers = withExample(
  strict({
    lead_ids: Type.Optional(ids('Leads to add.')),
    contact_ids: Type.Optional(ids('Contacts to add.')),
    status: Type.Optional(StatusKey),
  }),
  { lead_ids: ['0190a000-0000-7000-8000-000000000001'] },
)
export type NewMembers = Static<typeof NewMembers>

const failures = {
  failed_count: Type.Integer({ minimum: 0 }),
  failed: Type.Array(strict({ id: Id, code: Type.String() }), { maxItems: 500, description: 'The first 500.' }),
}

export const AddedMembers = named(
  'AddedCampaignMembers',
  strict({ added: Type.Integer(), already_member: Type.Integer(), ...failures }),
)
export type AddedMembers = Static<typeof AddedMembers>

export const MemberChanges = strict({
  status: Type.Optional(StatusKey),
  note: clearable(Type.String({ maxLength: 500 })),
})
export type MemberChanges = Static<typeof MemberChanges>

export const MemberStatusChange = strict({ member_ids: ids('Members to change.'), status: StatusKey })
export type MemberStatusChange = Static<typeof MemberStatusChange>

export const ChangedMembers = named(
  'ChangedCampaignMembers',
  strict({ updated: Type.Integer(), unchanged: Type.Integer(), ...failures }),
)
export type ChangedMembers = Static<typeof ChangedMembers>

export const MemberRemoval = withExample(
  strict({
    member_ids: Type.Optional(ids('Members to remove.')),
    status: Type.Optional({ ...StatusKey, description: 'Removes all members with this status.' }),
  }),
  { status: 'bounced' },
)
export type MemberRemoval = Static<typeof MemberRemoval>

export const RemovedMembers = named('RemovedCampaignMembers', strict({ removed: Type.Integer(), ...failures }))
export type RemovedMembers = Static<typeof RemovedMembers>

export const MemberParams = strict({ campaign_id: Id, member_id: Id })
export const LeadCampaignParams = strict({ lead_id: Id })
export const ContactCampaignParams = strict({ contact_id: Id })
