import type { Schemas } from '../../api/client.ts'
import type { Hue } from '../../ui/badge.tsx'

export type CampaignStatus = Schemas['Campaign']['status']
export type CampaignType = Schemas['Campaign']['type']

/** In the order of the list. */
export const campaignStatuses = [
  'active',
  'scheduled',
  'paused',
  'draft',
  'completed',
  'cancelled',
  'archived',
] as const satisfies readonly CampaignStatus[]

/** Campaigns that people can be added to. */
export const openStatuses: readonly CampaignStatus[] = ['active', 'scheduled', 'paused', 'draft']

export const campaignTypes = [
  'email',
  'webinar',
  'event',
  'paid_search',
  'paid_social',
  'display',
  'content',
  'direct_mail',
  'telemarketing',
  'social',
  'referral',
  'partner',
  'product',
  'other',
] as const satisfies readonly CampaignType[]

export const hueOfStatus: Readonly<Record<CampaignStatus, Hue>> = {
  active: 'success',
  scheduled: 'info',
  paused: 'warning',
  draft: 'neutral',
  completed: 'teal',
  cancelled: 'neutral',
  archived: 'neutral',
}

/** Statuses that the API accepts after a status. Only managers activate a completed campaign again. */
const nextStatuses: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['scheduled', 'active', 'archived'],
  scheduled: ['active', 'draft', 'cancelled'],
  active: ['paused', 'completed', 'cancelled'],
  paused: ['active', 'completed', 'cancelled'],
  completed: ['active', 'archived'],
  cancelled: ['archived'],
  archived: [],
}

export const canFollow = (from: CampaignStatus, to: CampaignStatus): boolean => nextStatuses[from].includes(to)

export const takesMembers = ({ status }: { status: CampaignStatus }): boolean => openStatuses.includes(status)

export const isEditable = ({ status }: { status: CampaignStatus }): boolean => status !== 'archived'
