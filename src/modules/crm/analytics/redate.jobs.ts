import { Type } from 'typebox'
import { settingsUpdated } from '#events/identity'
import { secondsLater } from '#platform/clock'
import { retryWhileBusy } from '#platform/db'
import { defineJob, enqueue, handleJob, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { beforeAllLeads } from '../scoring/rescore.jobs.ts'
import { redateSome } from './redate.service.ts'

const redateLeads = defineJob('crm.redate_leads', 'bulk', strict({ looks_again: Type.Boolean() }))

/** No transaction lives so long: whoever still took a lead in by the old time zone has committed by then. */
const secondsUntilSettled = 120

/** Where days begin elsewhere, leads were created on other days; the order goes out with the change of the time zone. */
export const followingTimezone = subscribe(
  settingsUpdated,
  'crm.follow_timezone',
  async (tx, { data: { section, changed } }) => {
    if (section === 'general' && changed.includes('timezone')) await enqueue(tx, redateLeads, { looks_again: true })
  },
  { inTransaction: true },
)

export const redatingLeads = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  handleJob(redateLeads, async ({ inTenant, signal, log }, { looks_again }) => {
    let redated = 0
    for (let after = beforeAllLeads; ; ) {
      signal.throwIfAborted()
      const step = await retryWhileBusy(() => inTenant((tx) => redateSome(tx, after)), signal)
      if (!step) break
      after = step.next
      redated += step.changed
    }
    if (redated) log.info({ redated }, 'leads were created on other days')
    if (looks_again) {
      const startAfter = secondsLater(clock.now(), secondsUntilSettled)
      await inTenant((tx) => enqueue(tx, redateLeads, { looks_again: false }, { startAfter }))
    }
  })
