import { holdCurrency } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { readCrmSettings } from '../settings/crm-settings.queries.ts'
import { convertMinor } from '../settings/currency.rules.ts'
import type { OpportunityRow } from './opportunities.queries.ts'
import { type ForeignDeal, lockForeignDeals, storeBases } from './rebase.queries.ts'

/** Reckons some open deals anew at the rates of now. Gives back where to go on, or nothing when all are done. */
export async function rebaseSome(
  tx: TenantTx,
  after: string | null,
): Promise<{ next: string; changed: number } | null> {
  const worth = await worthNow(tx)
  const deals = await lockForeignDeals(tx, worth.base, after)
  if (!deals.length) return null
  const changed = deals.flatMap((deal) => {
    const amount_base_minor = worth.of(deal)
    return amount_base_minor === undefined || amount_base_minor === deal.amount_base_minor
      ? []
      : [{ id: deal.id, amount_base_minor }]
  })
  if (changed.length) await storeBases(tx, changed)
  return { next: deals.at(-1)!.id, changed: changed.length }
}

/** What a deal is worth today. Without a rate it keeps the worth it had. */
export async function currentBase(tx: TenantTx, { amount_minor, amount_currency }: OpportunityRow) {
  if (amount_minor === null || amount_currency === null) return {}
  const amount_base_minor = (await worthNow(tx)).of({ amount_minor, amount_currency })
  return amount_base_minor === undefined ? {} : { amount_base_minor }
}

/** The rates cannot change until the transaction ends. */
async function worthNow(tx: TenantTx) {
  const base = await holdCurrency(tx)
  const { currency_rates } = await readCrmSettings(tx)
  const of = ({ amount_minor, amount_currency }: Pick<ForeignDeal, 'amount_minor' | 'amount_currency'>) => {
    if (amount_currency === base) return amount_minor
    if (!Object.hasOwn(currency_rates, amount_currency)) return undefined
    const converted = convertMinor(amount_minor, amount_currency, base, currency_rates[amount_currency]!)
    return Number.isSafeInteger(converted) ? converted : undefined
  }
  return { base, of }
}
