import type { TenantTx } from '#platform/db'
import { getCadenceRow } from '../cadence-records/cadences.queries.ts'
import { countLive } from '../cadence-records/enrollment-states.rules.ts'
import { listCountsOf } from '../cadence-records/send-counts.queries.ts'
import { listSteps, listStepsById } from '../cadence-records/steps.queries.ts'
import { toEmailStats, toExitCounts, toStepRates, toTotalRates } from './cadence-stats.rules.ts'
import type { CadenceStats } from './cadence-stats.schemas.ts'
import { countPaused, countWaitingBySteps } from './live-enrollments.queries.ts'

/** Removed steps are shown while they have numbers. */
export async function getCadenceStats(tx: TenantTx, id: string): Promise<CadenceStats> {
  const cadence = await getCadenceRow(tx, id)
  const [counts, steps, paused, waiting] = await Promise.all([
    listCountsOf(tx, id),
    listSteps(tx, [id]),
    countPaused(tx, id),
    countWaitingBySteps(tx, id),
  ])
  const stepIds = new Set(steps.map((step) => step.id))
  const removed = await listStepsById(
    tx,
    [...counts.keys()].filter((stepId) => stepId !== id && !stepIds.has(stepId)),
  )
  const totals = counts.get(id) ?? {}
  const { enrolled = 0, completed = 0, exited = 0 } = totals
  return {
    totals: {
      enrolled,
      active: Math.max(0, countLive(totals) - paused),
      paused,
      completed,
      exited,
      exited_by_reason: toExitCounts(totals),
      ...toEmailStats(totals, cadence),
      ...toTotalRates(totals),
    },
    steps: [...steps, ...removed].map((step) => {
      const emails = toEmailStats(counts.get(step.id) ?? {}, cadence)
      return {
        step_id: step.id,
        position: stepIds.has(step.id) ? step.position : null,
        type: step.type,
        waiting: waiting.get(step.id) ?? 0,
        ...emails,
        ...toStepRates(emails),
      }
    }),
  }
}
