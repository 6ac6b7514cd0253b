import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { toMinor, toMoney } from '#platform/money'
import { toBaseMinor } from '../../records/settings/crm-settings.service.ts'
import {
  findLeadSource,
  listLeadSourceSpend,
  type MonthlySpend,
  replaceLeadSourceSpend,
  upsertLeadSource,
} from './lead-sources.queries.ts'
import type { LeadSourceChannel, LeadSourceInput } from './lead-sources.schemas.ts'

export async function replaceLeadSource(tx: TenantTx, key: string, input: LeadSourceInput) {
  const { label, channel = 'other', is_active = true, spend = [] } = input
  const months = await toMonthlySpend(tx, spend)
  const before = await findLeadSource(tx, key)
  const source = await upsertLeadSource(tx, key, { label, channel, is_active })
  const previousSpend = await listLeadSourceSpend(tx, key)
  await replaceLeadSourceSpend(tx, key, months)
  await recordAudit(tx, 'lead_source.updated', {
    id: null,
    label: key,
    before: before ? { ...before, spend: previousSpend } : null,
    after: { ...source, spend: months },
  })
  return {
    ...source,
    channel: source.channel as LeadSourceChannel,
    spend: months.map(({ month, amount_minor, currency }) => ({
      month: month.slice(0, 7),
      amount: toMoney(amount_minor, currency),
    })),
  }
}

async function toMonthlySpend(tx: TenantTx, spend: NonNullable<LeadSourceInput['spend']>): Promise<MonthlySpend[]> {
  const months = new Map<string, MonthlySpend>()
  for (const [index, { month, amount }] of spend.entries()) {
    const path = `/spend/${index}`
    if (months.has(month)) throw invalid('body', `${path}/month`, 'unique', '`month` must not occur more than once.')
    const amount_minor = toMinor(amount, amount.currency, `${path}/amount`)
    if (amount_minor < 0) throw invalid('body', `${path}/amount/amount`, 'minimum', '`amount` must not be negative.')
    const { currency } = amount
    const amount_base_minor = await toBaseMinor(tx, { amount_minor, currency }, `${path}/amount`)
    months.set(month, { month: `${month}-01`, amount_minor, currency, amount_base_minor })
  }
  return [...months.values()].sort((one, other) => (one.month < other.month ? -1 : 1))
}
