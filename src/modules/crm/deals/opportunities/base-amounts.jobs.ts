import { settingsUpdated } from '#events/identity'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { recalculateBaseAmountsBatch } from './base-amounts.service.ts'

const recalculateBaseAmounts = defineJob('crm.recalculate_base_amounts', 'bulk', strict({}))

export const onCurrencyRatesChanged = subscribe(
  settingsUpdated,
  'crm.follow_rates',
  async (tx, { data: { section, changed } }) => {
    if (section === 'crm' && changed.some((path) => path.startsWith('currency_rates')))
      await enqueue(tx, recalculateBaseAmounts, {}, { singletonKey: 'rates' })
  },
  { inTransaction: true },
)

export const recalculateBaseAmountsHandler = defineJobHandler(
  recalculateBaseAmounts,
  async ({ inTenant, signal, log }) => {
    let recalculated = 0
    for (let after: string | null = null; ; ) {
      signal.throwIfAborted()
      const batch = await inTenant((tx) => recalculateBaseAmountsBatch(tx, after))
      if (!batch) break
      after = batch.next
      recalculated += batch.changed
    }
    if (recalculated) log.info({ recalculated }, 'recalculated base amounts of open deals')
  },
)
