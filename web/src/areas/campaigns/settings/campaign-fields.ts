import { parseAmount } from '../../../patterns/amounts.ts'
import type { Campaign } from '../campaign-queries.ts'
import type { CampaignType } from '../campaign-status.ts'

type Money = { amount: string; currency: string }

export const moneyFields = ['budget', 'actual_cost', 'expected_revenue'] as const
export type MoneyField = (typeof moneyFields)[number]

export const currencyName = (field: MoneyField): string => `${field}_currency`

/** Amounts as they are typed: without zero decimals. */
const normalizeMoney = (money: Money | null): Money | null =>
  money && { amount: money.amount.replace(/\.0+$/, ''), currency: money.currency }

/** The fields of the form, as the API takes them. */
export const fieldsOf = (campaign: Campaign) => ({
  name: campaign.name,
  type: campaign.type,
  description: campaign.description,
  start_on: campaign.start_on,
  end_on: campaign.end_on,
  budget: normalizeMoney(campaign.budget),
  actual_cost: normalizeMoney(campaign.actual_cost),
  expected_revenue: normalizeMoney(campaign.expected_revenue),
  expected_responses: campaign.expected_responses,
  owner_id: campaign.owner_id,
  parent_campaign_id: campaign.parent_campaign_id,
  source: campaign.source,
  utm_campaign: campaign.utm_campaign,
  tags: campaign.tags,
})

export type CampaignFields = ReturnType<typeof fieldsOf>

/** Reads the form. A text that is no amount stays as it is, so that the server rejects it at its field. */
export function readFields(data: FormData, locale: string): CampaignFields {
  const text = (name: string): string | null => String(data.get(name) ?? '').trim() || null
  const money = (name: MoneyField): Money | null => {
    const typed = text(name)
    if (typed === null) return null
    return { amount: parseAmount(typed, locale) ?? typed, currency: (text(currencyName(name)) ?? '').toUpperCase() }
  }
  const responses = text('expected_responses')
  return {
    name: text('name') ?? '',
    type: text('type') as CampaignType,
    description: text('description'),
    start_on: text('start_on'),
    end_on: text('end_on'),
    budget: money('budget'),
    actual_cost: money('actual_cost'),
    expected_revenue: money('expected_revenue'),
    expected_responses: responses === null ? null : Number(responses),
    owner_id: text('owner_id'),
    parent_campaign_id: text('parent_campaign_id'),
    source: text('source'),
    utm_campaign: text('utm_campaign'),
    tags: splitTags(text('tags') ?? ''),
  }
}

const splitTags = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]
