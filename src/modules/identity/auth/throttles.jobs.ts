import { type Clock, secondsLater } from '#platform/clock'
import { defineSchedule } from '#platform/jobs'
import { deleteEndedThrottles } from './throttles.queries.ts'

const atOnce = 10_000
/** So that no clock that is slow still counts with what another one forgot. */
const keptSeconds = 3_600

export const forgettingThrottles = ({ clock }: { clock: Clock }) =>
  defineSchedule('identity.forget_throttles', '17 * * * *', async ({ inSystem, signal, log }) => {
    const before = secondsLater(clock.now(), -keptSeconds)
    let forgotten = 0
    for (let some = atOnce; some === atOnce && !signal.aborted; forgotten += some)
      some = await inSystem((tx) => deleteEndedThrottles(tx, before, atOnce))
    if (forgotten) log.info({ forgotten }, 'counters of failed sign-ins were forgotten')
  })
