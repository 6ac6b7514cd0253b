import { settingsUpdated } from '#events/identity'
import { defineJob, enqueue, handleJob } from '#platform/jobs'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { rebaseSome } from './rebase.service.ts'

const rebaseOpportunities = defineJob('crm.rebase_opportunities', 'bulk', strict({}))

/** Open deals are worth what the rates say; the order goes out with the change of a rate. */
export const followingRates = subscribe(
  settingsUpdated,
  'crm.follow_rates',
  async (tx, { data: { section, changed } }) => {
    if (section === 'crm' && changed.some((path) => path.startsWith('currency_rates')))
      await enqueue(tx, rebaseOpportunities, {}, { singletonKey: 'rates' })
  },
  { inTransaction: true },
)

export const rebasingOpportunities = handleJob(rebaseOpportunities, async ({ inTenant, signal, log }) => {
  let rebased = 0
  for (let after: string | null = null; ; ) {
    signal.throwIfAborted()
    const step = await inTenant((tx) => rebaseSome(tx, after))
    if (!step) break
    after = step.next
    rebased += step.changed
  }
  if (rebased) log.info({ rebased }, 'open deals were reckoned anew')
})
