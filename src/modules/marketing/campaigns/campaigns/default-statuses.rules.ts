export type MemberStatus = { key: string; label: string; is_response: boolean }

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
] as const
export type CampaignType = (typeof campaignTypes)[number]

/** Ascending rank; responses have a star. */
const email = 'targeted sent opened clicked* replied* bounced unsubscribed'
const event = 'invited registered* attended* no_show'
const advertising = 'targeted clicked* converted*'
const simple = 'targeted responded*'
const statusesOfType: Record<CampaignType, string> = {
  email,
  webinar: event,
  event,
  paid_search: advertising,
  paid_social: advertising,
  display: advertising,
  content: 'targeted downloaded*',
  direct_mail: 'sent responded*',
  telemarketing: 'targeted reached responded*',
  social: simple,
  referral: simple,
  partner: simple,
  product: simple,
  other: simple,
}

const labelOf = (key: string): string => {
  const words = key.replaceAll('_', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

export const defaultMemberStatuses = (type: CampaignType): MemberStatus[] =>
  statusesOfType[type].split(' ').map((entry) => {
    const key = entry.replace('*', '')
    return { key, label: labelOf(key), is_response: entry.endsWith('*') }
  })

export const listCampaignTypes = () => {
  const items = campaignTypes.map((key) => ({
    key,
    label: labelOf(key),
    default_member_statuses: defaultMemberStatuses(key),
  }))
  return { items, total: items.length }
}
