import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { runTenantSchedule } from '#testing'
import { createPresets } from '../../src/modules/coaching/presets/presets.service.ts'
import { readinessRecords } from '../../src/modules/insights/readiness/readiness.fixture.ts'
import { recomputeReadinessSchedule } from '../../src/modules/insights/readiness/readiness.jobs.ts'
import { recomputeMarked } from '../../src/modules/insights/readiness/recompute-readiness.service.ts'
import type { Race } from './race.ts'
import { runConcurrently } from './race.ts'

export const markAgainstRecompute: Race = {
  name: 'enablement-9-9 a change and its mark racing with the calculation of readiness',
  minRuns: 20,
  async prepare(app) {
    const acme = await app.tenant()
    await inTenant(app.db, systemActor(acme.id), (tx) => createPresets(tx))
    const { insertSession } = readinessRecords(app)
    const recompute = () => runTenantSchedule(app, recomputeReadinessSchedule(app))
    let lastMs = 0
    const calculate = async () => {
      const startMs = performance.now()
      await inTenant(app.db, systemActor(acme.id), (tx) => recomputeMarked(tx, app.clock.now()))
      lastMs = performance.now() - startMs
    }
    const mark = (userId: string) =>
      acme.sql('insert into enablement.readiness_marks (tenant_id, id, user_id) values ($1, $2, $3)', [
        acme.id,
        newId(),
        userId,
      ])
    return async () => {
      const { userId } = await acme.person('member')
      await mark(userId)

      await runConcurrently(calculate, calculate, async () => {
        await sleep(Math.random() * 1.5 * lastMs)
        await insertSession(acme, userId, 90, 0)
        await mark(userId)
      })

      const { rows: left } = await acme.sql('select from enablement.readiness_marks where user_id = $1', [userId])
      const read = async () =>
        (await acme.sql('select score_tenths from enablement.readiness_scores where user_id = $1', [userId])).rows[0]
      const early = await read()
      await recompute()
      const final = await read()
      // One session of three: 90 points count two thirds.
      const isLost = !left.length && early?.score_tenths !== 600
      if (isLost || final?.score_tenths !== 600) return { violation: JSON.stringify([left.length, early, final]) }
      return { outcome: early?.score_tenths === 600 ? 'change first' : 'calculation first' }
    }
  },
}
