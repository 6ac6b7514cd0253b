import { settingsUpdated } from '#events/identity'
import { type Clock, secondsLater } from '#platform/clock'
import { retryOnContention } from '#platform/db'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { markRebuildFailed } from './rebuild.queries.ts'
import { deleteUnusedBatch, finishRebuild, rebuildBatch, startRebuild } from './rebuild.service.ts'

const rebuildRollUps = defineJob('plg.rebuild_roll_ups', 'bulk', strict({}))
const deleteRollUps = defineJob('plg.delete_roll_ups', 'bulk', strict({}))

/** Longer than any request: after this, no request still reads the former generation. */
const readersGoneSeconds = 120

/** The numbers depend on these settings. The job compares them with those that the numbers were calculated for. */
export const onUsageSettingsChanged = subscribe(
  settingsUpdated,
  'plg.follow_settings',
  async (tx, { data: { section, changed } }) => {
    const isTimezone = section === 'general' && changed.includes('timezone')
    const isInactive = section === 'plg' && changed.some((path) => path.startsWith('inactive_events'))
    if (isTimezone || isInactive) await enqueue(tx, rebuildRollUps, {})
  },
  { inTransaction: true },
)

export const rebuildRollUpsHandler = ({ clock }: { clock: Clock }): JobHandler =>
  defineJobHandler(
    rebuildRollUps,
    async ({ inTenant, signal, log }) => {
      const isStarted = await retryOnContention(() => inTenant(startRebuild), signal)
      do {
        do signal.throwIfAborted()
        while (isStarted && (await retryOnContention(() => inTenant(rebuildBatch), signal)))
      } while (isStarted && !(await retryOnContention(() => inTenant(finishRebuild), signal)))
      if (isStarted) log.info({}, 'recalculated usage numbers')
      const startAfter = secondsLater(clock.now(), readersGoneSeconds)
      await inTenant((tx) => enqueue(tx, deleteRollUps, {}, { startAfter }))
    },
    { onDeadLetter: ({ inTenant }) => inTenant(markRebuildFailed) },
  )

export const deleteRollUpsHandler = defineJobHandler(deleteRollUps, async ({ inTenant, signal }) => {
  do signal.throwIfAborted()
  while (await retryOnContention(() => inTenant(deleteUnusedBatch), signal))
})
