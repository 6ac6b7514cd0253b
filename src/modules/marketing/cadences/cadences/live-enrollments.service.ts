import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import type { CadenceRow } from '../cadence-records/cadences.queries.ts'
import { exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { endRuns, lockOpenRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { planEnrollments, planRuns } from '../cadence-runs/plan-runs.service.ts'
import {
  listActiveEnrollmentIds,
  listEnrollmentIdsOnRemovedSteps,
  listLiveEnrollmentIds,
} from './live-enrollments.queries.ts'
import { closeRemovedTasks, type EnrollmentChange, updateLiveEnrollments } from './live-enrollments-job.ts'

const batchSize = 500

/** Changes the first live enrollments of a locked cadence, and leaves the others to a job. */
export async function changeEnrollments(
  tx: TenantTx,
  cadence: CadenceRow,
  change: EnrollmentChange,
  now: Date,
): Promise<void> {
  const after = await changeEnrollmentBatch(tx, cadence, { change, after: nilUuid }, now)
  if (after) await enqueue(tx, updateLiveEnrollments, { cadence_id: cadence.id, change, after })
}

/** Returns the id after which the next batch begins, or undefined if no enrollments remain. For a locked cadence. */
export async function changeEnrollmentBatch(
  tx: TenantTx,
  cadence: CadenceRow,
  { change, after }: { change: EnrollmentChange; after: string },
  now: Date,
): Promise<string | undefined> {
  if (change === 'exit') {
    const ids = await listLiveEnrollmentIds(tx, cadence.id, batchSize)
    await exitEnrollments(tx, ids, 'archived', now)
    return ids.length === batchSize ? after : undefined
  }
  const page = { after, limit: batchSize }
  const isPlanned = change === 'plan'
  const ids = isPlanned
    ? await listActiveEnrollmentIds(tx, cadence.id, page)
    : await listEnrollmentIdsOnRemovedSteps(tx, cadence.id, page)
  if (ids.length) await (isPlanned ? planAgain : leaveRemovedSteps)(tx, cadence, ids, now)
  return ids.length === batchSize ? ids.at(-1) : undefined
}

/** Plans the current step of the enrollments of a resumed cadence, from now on. */
async function planAgain(tx: TenantTx, cadence: CadenceRow, ids: readonly string[], now: Date): Promise<void> {
  const active = (await lockEnrollments(tx, ids)).filter(({ status }) => status === 'active')
  await planRuns(tx, { cadence, enrollments: active, now })
}

/** An email that is being sent decides itself how its enrollment continues. */
async function leaveRemovedSteps(tx: TenantTx, cadence: CadenceRow, ids: readonly string[], now: Date): Promise<void> {
  const active = (await lockEnrollments(tx, ids)).filter(({ status }) => status === 'active')
  const runs = await lockOpenRuns(
    tx,
    active.map(({ id }) => id),
  )
  const isStopped = ({ state, activity_id }: RunRow) => state === 'waiting' || activity_id !== null
  const sending = new Set(runs.filter((run) => !isStopped(run)).map(({ enrollment_id }) => enrollment_id))
  const stopped = runs.filter(({ enrollment_id }) => !sending.has(enrollment_id))
  await endRuns(
    tx,
    stopped.map(({ id }) => ({ id, state: 'skipped', skip_reason: 'step_removed' })),
  )
  const leaving = active.filter(({ id }) => !sending.has(id))
  await addCounts(tx, await planEnrollments(tx, [cadence], leaving, { now }))
  const activity_ids = stopped.flatMap(({ activity_id }) => activity_id ?? [])
  if (activity_ids.length) await enqueue(tx, closeRemovedTasks, { activity_ids })
}
