import type { AccountDeal, AccountPerson } from './related-queries.ts'

type Money = { amount: string; currency: string }
type Deal = Pick<AccountDeal, 'kind' | 'close_on' | 'amount_base' | 'probability_rate'>
type Person = Pick<AccountPerson, 'last_activity_at'>

const order: readonly Deal['kind'][] = ['open', 'won', 'lost']

/** Open deals first, the next one on top, then the won and lost ones, the latest on top. */
export const sortDeals = <One extends Deal>(deals: readonly One[]): One[] =>
  deals.toSorted(
    (one, other) =>
      order.indexOf(one.kind) - order.indexOf(other.kind) ||
      (one.kind === 'open' ? 1 : -1) * one.close_on.localeCompare(other.close_on),
  )

/** The person with the newest activity first. Those without any keep their order. */
export const sortPeople = <One extends Person>(people: readonly One[]): One[] =>
  people.toSorted((one, other) => (other.last_activity_at ?? '').localeCompare(one.last_activity_at ?? ''))

/** The open amounts times their probability, in the base currency; undefined without one. */
export function weighOpenDeals(deals: readonly Deal[]): Money | undefined {
  const open = deals.filter(({ kind, amount_base }) => kind === 'open' && amount_base)
  const currency = open[0]?.amount_base?.currency
  if (!currency) return undefined
  const sum = open.reduce((all, deal) => all + Number(deal.amount_base!.amount) * deal.probability_rate, 0)
  return { amount: String(Math.round(sum)), currency }
}

const dayMs = 24 * 60 * 60_000
const activeDays = 30

export const countActive = (people: readonly Person[], now: number): number =>
  people.filter(({ last_activity_at: at }) => at !== null && now - Date.parse(at) <= activeDays * dayMs).length
