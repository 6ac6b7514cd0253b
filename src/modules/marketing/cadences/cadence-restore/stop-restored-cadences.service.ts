import { timezoneOf } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { stopFlowsOfType } from '../../segments/continuous-enrollment/segment-flows.service.ts'
import { correctCadenceCounts } from '../cadence-checks/cadence-counts.queries.ts'
import { addCounts, type CountChange } from '../cadence-records/add-counts.queries.ts'
import { changeCadenceStatuses } from '../cadence-records/cadence-status.service.ts'
import { exitLiveEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { lockStartedCadences } from './restored-cadences.queries.ts'
import {
  deleteUnsentRuns,
  insertSentRuns,
  listLivePersonExits,
  listSentEnrollmentIds,
  lockRestoredRuns,
  skipQueuedRuns,
  updateSentEnrollments,
} from './sent-steps.queries.ts'

const flowReason = 'The workspace was restored from a backup.'

/**
 * Pauses the cadences that an archive has inserted, also those that would continue with their campaign, and stops the flows into them.
 * Steps that were sent after the backup count as executed, and enrollments that ended because of their person end again, as far as this
 * is known in the workspace.
 */
export async function stopRestoredCadences(tx: TenantTx, now: Date): Promise<{ cadences: number; flows: number }> {
  const started = await lockStartedCadences(tx)
  const active = started.filter(({ status }) => status === 'active')
  const waiting = started.filter(({ paused_reason }) => paused_reason === 'campaign')
  await changeCadenceStatuses(tx, [...active, ...waiting], { status: 'paused', paused_reason: 'restored' })
  const ended = await listLivePersonExits(tx)
  const enrollmentIds = [...(await listSentEnrollmentIds(tx)), ...ended.map(({ id }) => id)]
  await lockEnrollments(tx, enrollmentIds)
  await lockRestoredRuns(tx, enrollmentIds)

  await updateSentEnrollments(tx)
  await skipQueuedRuns(tx)
  await deleteUnsentRuns(tx)
  const changed = await insertSentRuns(tx, await timezoneOf(tx))
  const counts: CountChange[] = []
  for (const [reason, ofReason] of Map.groupBy(ended, (exit) => exit.reason)) {
    const ids = ofReason.map(({ id }) => id)
    counts.push(...(await exitLiveEnrollments(tx, ids, reason, now)).counts)
  }
  await addCounts(tx, counts)
  await correctCadenceCounts(tx, changed)
  return { cadences: active.length, flows: await stopFlowsOfType(tx, 'cadence', flowReason) }
}
