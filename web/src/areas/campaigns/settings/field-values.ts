import { campaignListTexts } from '../../../texts/en/campaign-list-texts.ts'
import { campaignSettingsTexts as texts } from '../../../texts/en/campaign-settings-texts.ts'
import { formatDate, formatMoney, formatNumber } from '../../../ui/format.ts'
import type { Campaign } from '../campaign-queries.ts'
import type { CampaignType } from '../campaign-status.ts'

/** Keeps the names of the records that a campaign refers to. */
export function noteNames(names: Map<string, string>, campaign: Campaign): Campaign {
  for (const record of [campaign.owner, campaign.parent]) if (record) names.set(record.id, record.name)
  return campaign
}

type Money = { amount: string; currency: string }

/** A value of a field as text; undefined for an empty one and for plain texts. */
export const createFormat =
  (names: ReadonlyMap<string, string>, locale: string) =>
  (field: string, value: unknown): string | undefined => {
    if (value === null || value === undefined || value === '') return undefined
    if (Array.isArray(value)) return value.join(', ')
    if (typeof value === 'object') return formatAmount(value as Money, locale)
    if (typeof value === 'number') return formatNumber(value, locale)
    if (field === 'type') return campaignListTexts.types[value as CampaignType]
    if (field === 'start_on' || field === 'end_on') return formatDate(String(value), locale)
    if (field === 'owner_id') return names.get(String(value)) ?? texts.someone
    if (field === 'parent_campaign_id') return names.get(String(value)) ?? texts.otherCampaign
    return String(value)
  }

/** An amount that was typed wrongly is shown as it was typed. */
const formatAmount = (money: Money, locale: string): string =>
  Number.isFinite(Number(money.amount)) ? formatMoney(money, locale) : money.amount
