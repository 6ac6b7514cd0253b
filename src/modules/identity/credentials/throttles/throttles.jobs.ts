import { type Clock, secondsLater } from '#platform/clock'
import { defineSchedule } from '#platform/jobs'
import { deleteExpiredThrottles } from './throttles.queries.ts'

const batchSize = 10_000
/** Tolerates clock skew between processes. */
const retentionSeconds = 3_600

export const deleteExpiredThrottlesSchedule = ({ clock }: { clock: Clock }) =>
  defineSchedule('identity.forget_throttles', '17 * * * *', async ({ inSystem, signal, log }) => {
    const before = secondsLater(clock.now(), -retentionSeconds)
    let deleted = 0
    for (let batch = batchSize; batch === batchSize && !signal.aborted; deleted += batch)
      batch = await inSystem((tx) => deleteExpiredThrottles(tx, before, batchSize))
    if (deleted) log.info({ deleted }, 'deleted expired login throttles')
  })
