import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { toMinor, toMoney } from '#platform/money'
import { toBaseMinor } from '../settings/currency.service.ts'
import { findSource, listSpend, type MonthlySpend, replaceSpend, storeSource } from './sources.queries.ts'
import type { Channel, SourceDescription } from './sources.schemas.ts'

/** Says what a source of leads is and what it cost. What is left out goes back to where it began. */
export async function describeSource(tx: TenantTx, key: string, description: SourceDescription) {
  const { label, channel = 'other', is_active = true, spend = [] } = description
  const months = await inMinorUnits(tx, spend)
  const before = await findSource(tx, key)
  const source = await storeSource(tx, key, { label, channel, is_active })
  const formerSpend = await listSpend(tx, key)
  await replaceSpend(tx, key, months)
  await record(tx, 'lead_source.updated', {
    id: null,
    label: key,
    before: before ? { ...before, spend: formerSpend } : null,
    after: { ...source, spend: months },
  })
  return {
    ...source,
    channel: source.channel as Channel,
    spend: months.map(({ month, amount_minor, currency }) => ({
      month: month.slice(0, 7),
      amount: toMoney(amount_minor, currency),
    })),
  }
}

async function inMinorUnits(tx: TenantTx, spend: NonNullable<SourceDescription['spend']>): Promise<MonthlySpend[]> {
  const months = new Map<string, MonthlySpend>()
  for (const [index, { month, amount }] of spend.entries()) {
    const path = `/spend/${index}`
    if (months.has(month)) throw invalid('body', `${path}/month`, 'unique', 'This month is in the list more than once.')
    const amount_minor = toMinor(amount, amount.currency, `${path}/amount`)
    if (amount_minor < 0)
      throw invalid('body', `${path}/amount/amount`, 'minimum', 'What was spent is not less than zero.')
    const { currency } = amount
    const amount_base_minor = await toBaseMinor(tx, { amount_minor, currency }, `${path}/amount`)
    months.set(month, { month: `${month}-01`, amount_minor, currency, amount_base_minor })
  }
  return [...months.values()].sort((one, other) => (one.month < other.month ? -1 : 1))
}
