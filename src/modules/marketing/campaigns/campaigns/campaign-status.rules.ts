import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { conflict, invalid, invalidTransition, roleRequired } from '#platform/errors'
import type { MemberStatus } from './default-statuses.rules.ts'

/** In the order of the list. */
export const campaignStatuses = [
  'active',
  'scheduled',
  'paused',
  'draft',
  'completed',
  'cancelled',
  'archived',
] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

const transitions: Record<CampaignStatus, readonly CampaignStatus[]> = {
  draft: ['scheduled', 'active', 'archived'],
  scheduled: ['active', 'draft', 'cancelled'],
  active: ['paused', 'completed', 'cancelled'],
  paused: ['active', 'completed', 'cancelled'],
  completed: ['active', 'archived'],
  cancelled: ['archived'],
  archived: [],
}

const openStatuses: readonly string[] = ['draft', 'scheduled', 'active', 'paused']

export const takesMembers = ({ status }: { status: string }): boolean => openStatuses.includes(status)

export function assertStatusTransition(actor: UserActor, from: string, to: CampaignStatus): void {
  const allowed = transitions[from as CampaignStatus]
  if (!allowed.includes(to))
    throw invalidTransition(`A campaign cannot change from ${from} to ${to}.`, { from, to, allowed })
  if (from === 'completed' && to === 'active' && !isManagerOrAdmin(actor.role))
    throw roleRequired('Only managers can reactivate a completed campaign.')
}

export function assertTakesMembers(campaign: { status: string }): void {
  if (!takesMembers(campaign))
    throw conflict(
      'campaign_closed',
      `Members cannot be added to a campaign that is ${campaign.status}. Choose an open campaign.`,
    )
}

const editableInArchive: readonly string[] = ['tags', 'description']

export function assertCampaignEditable({ status }: { status: string }, fields: readonly string[]): void {
  if (status === 'archived' && fields.some((field) => !editableInArchive.includes(field)))
    throw conflict(
      'campaign_archived',
      'Only `tags` and `description` of an archived campaign can be changed. Create a new campaign.',
    )
}

type CampaignDates = { status: string; start_on: string | null; end_on: string | null }

export function assertCampaignDates({ status, start_on, end_on }: CampaignDates, today: string): void {
  if (start_on !== null && end_on !== null && end_on < start_on)
    throw invalid('body', '/end_on', 'order', '`end_on` must not be before `start_on`.')
  if (status === 'scheduled' && (start_on === null || start_on <= today))
    throw invalid('body', '/start_on', 'future', '`start_on` of a scheduled campaign must be in the future.')
}

/** The hourly schedule would complete the campaign again. */
export function assertNotOver({ end_on }: Pick<CampaignDates, 'end_on'>, today: string): void {
  if (end_on !== null && end_on < today)
    throw invalid('body', '/end_on', 'future', '`end_on` of a campaign that becomes active must not be in the past.')
}

export function assertMemberStatuses(statuses: readonly MemberStatus[]): void {
  const keys = statuses.map(({ key }) => key)
  const repeated = keys.findIndex((key, index) => keys.indexOf(key) < index)
  if (repeated >= 0)
    throw invalid('body', `/member_statuses/${repeated}/key`, 'unique', '`key` must be unique among the statuses.')
  if (!statuses.some(({ is_response }) => is_response))
    throw invalid('body', '/member_statuses', 'response', '`member_statuses` must contain a response status.')
}
