import { settingsUpdated } from '#events/identity'
import { type Clock, daysLater } from '#platform/clock'
import { retryOnContention, type TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import { markRebuildFailed } from './rebuild.queries.ts'
import {
  copyBatch,
  deleteUnusedBatch,
  finishRebuild,
  formerGenerationDays,
  rebuildBatch,
  startRebuild,
} from './rebuild.service.ts'

const rebuildRollUps = defineJob('plg.rebuild_roll_ups', 'bulk', strict({}))
const deleteRollUps = defineJob('plg.delete_roll_ups', 'bulk', strict({}))

export const enqueueRebuild = (tx: TenantTx): Promise<void> => enqueue(tx, rebuildRollUps, {})

/** The numbers depend on these settings. The job compares them with those that the numbers were calculated for. */
export const onUsageSettingsChanged = subscribe(
  settingsUpdated,
  'plg.follow_settings',
  async (tx, { data: { section, changed } }) => {
    const isTimezone = section === 'general' && changed.includes('timezone')
    const isInactive = section === 'plg' && changed.some((path) => path.startsWith('inactive_events'))
    if (isTimezone || isInactive) await enqueueRebuild(tx)
  },
  { inTransaction: true },
)

export const rebuildRollUpsHandler = ({ clock }: { clock: Clock }): JobHandler =>
  defineJobHandler(
    rebuildRollUps,
    async ({ inTenant, signal, log }) => {
      const isStarted = await retryOnContention(() => inTenant((tx) => startRebuild(tx, clock.now())), signal)
      const repeat = async (work: (tx: TenantTx) => Promise<boolean>) => {
        do signal.throwIfAborted()
        while (isStarted && (await retryOnContention(() => inTenant(work), signal)))
      }
      const finish = () => inTenant((tx) => finishRebuild(tx, clock.now()))
      do {
        await repeat(copyBatch)
        await repeat(rebuildBatch)
      } while (isStarted && !(await retryOnContention(finish, signal)))
      if (isStarted) log.info({}, 'recalculated usage numbers')
      const startAfter = daysLater(clock.now(), formerGenerationDays)
      await inTenant((tx) => enqueue(tx, deleteRollUps, {}, { startAfter }))
    },
    { onDeadLetter: ({ inTenant }) => inTenant(markRebuildFailed) },
  )

export const deleteRollUpsHandler = ({ clock }: { clock: Clock }): JobHandler =>
  defineJobHandler(deleteRollUps, async ({ inTenant, signal }) => {
    const deleteBatch = () => inTenant((tx) => deleteUnusedBatch(tx, clock.now()))
    do signal.throwIfAborted()
    while (await retryOnContention(deleteBatch, signal))
  })
