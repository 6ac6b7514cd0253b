import { daysLater } from '#platform/clock'
import { type Money, toMoney } from '#platform/money'
import { returnOnCost } from '../campaigns/campaign-results.rules.ts'

export type Membership = {
  campaign_id: string
  lead_id: string | null
  contact_id: string | null
  first_touched_at: Date
  responded_at: Date | null
}

export type AttributedDeal = {
  amount_base_minor: number | null
  created_at: Date
  closed_at: Date | null
}

export type AttributionSettings = { window_days: number; basis: string }

export type Touch = { campaign_id: string; touch_at: Date }

export type CreditedTouch = Touch & {
  position: number
  of: number
  first_minor: number
  last_minor: number
  linear_minor: number
}

/** The earliest touch of each campaign within the window, by time and then by campaign. */
export function findTouches(
  { created_at, closed_at }: AttributedDeal,
  memberships: readonly Membership[],
  { window_days, basis }: AttributionSettings,
  now: Date,
): Touch[] {
  const [from, until] = [daysLater(created_at, -window_days), closed_at ?? now]
  const earliest = new Map<string, Date>()
  for (const { campaign_id, first_touched_at, responded_at } of memberships) {
    const at = basis === 'member' ? first_touched_at : responded_at
    if (at === null || at < from || at > until) continue
    const known = earliest.get(campaign_id)
    if (!known || at < known) earliest.set(campaign_id, at)
  }
  return [...earliest]
    .map(([campaign_id, touch_at]) => ({ campaign_id, touch_at }))
    .sort((one, other) => one.touch_at.getTime() - other.touch_at.getTime() || compareIds(one, other))
}

const compareIds = (one: Touch, other: Touch) => (one.campaign_id < other.campaign_id ? -1 : 1)

/** Each model gives away the whole amount. Linear shares differ by at most one minor unit, the larger ones first. */
export function creditTouches<T extends Touch>(touches: readonly T[], amountMinor: number): (T & CreditedTouch)[] {
  const of = touches.length
  const share = of ? Math.floor(amountMinor / of) : 0
  const rest = amountMinor - share * of
  return touches.map((touch, index) => ({
    ...touch,
    position: index + 1,
    of,
    first_minor: index === 0 ? amountMinor : 0,
    last_minor: index === of - 1 ? amountMinor : 0,
    linear_minor: share + (index < rest ? 1 : 0),
  }))
}

/** Rounded half up to minor units; null without a cost or without anything to divide by. */
export const costPer = (costMinor: number | null, count: number, currency: string): Money | null =>
  costMinor === null || count === 0 ? null : toMoney(Math.round(costMinor / count), currency)

type Revenue = { first: number; last: number; linear: number }

export function returnOn(costMinor: number | null, { first, last, linear }: Revenue) {
  if (!costMinor) return null
  const roi = (revenue: number) => returnOnCost(revenue, costMinor)!
  return { first_touch: roi(first), last_touch: roi(last), linear: roi(linear) }
}
