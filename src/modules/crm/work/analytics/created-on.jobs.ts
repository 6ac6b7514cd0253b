import { Type } from 'typebox'
import { settingsUpdated } from '#events/identity'
import { secondsLater } from '#platform/clock'
import { retryOnContention } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { recomputeCreatedOnBatch } from './rollups.service.ts'

const recomputeCreatedOn = defineJob('crm.redate_leads', 'bulk', strict({ looks_again: Type.Boolean() }))

/** Longer than any transaction: after this, no open transaction still creates leads with the old time zone. */
const secondPassDelaySeconds = 120

export const onTimezoneChanged = subscribe(
  settingsUpdated,
  'crm.follow_timezone',
  async (tx, { data: { section, changed } }) => {
    if (section === 'general' && changed.includes('timezone'))
      await enqueue(tx, recomputeCreatedOn, { looks_again: true })
  },
  { inTransaction: true },
)

export const recomputeCreatedOnHandler = ({ clock }: Pick<Services, 'clock'>): JobHandler =>
  defineJobHandler(recomputeCreatedOn, async ({ inTenant, signal, log }, { looks_again }) => {
    let changed = 0
    for (let after = nilUuid; ; ) {
      signal.throwIfAborted()
      const batch = await retryOnContention(() => inTenant((tx) => recomputeCreatedOnBatch(tx, after)), signal)
      if (!batch) break
      after = batch.next
      changed += batch.changed
    }
    if (changed) log.info({ changed }, 'recomputed created_on after a time zone change')
    if (looks_again) {
      const startAfter = secondsLater(clock.now(), secondPassDelaySeconds)
      await inTenant((tx) => enqueue(tx, recomputeCreatedOn, { looks_again: false }, { startAfter }))
    }
  })
