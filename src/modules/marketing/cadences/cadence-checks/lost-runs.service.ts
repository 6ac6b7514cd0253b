import { listEmailsById } from '#modules/email'
import type { TenantTx } from '#platform/db'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { listCadenceIds, lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { endRuns, type RunRow } from '../cadence-records/runs.queries.ts'
import { lockRunsWithParents } from '../cadence-runs/lock-runs.service.ts'
import { planEnrollments } from '../cadence-runs/plan-runs.service.ts'
import { listClaimedEmailRuns, listEnrollmentsWithoutRun, listRepeatedEnrollments } from './live-enrollments.queries.ts'

const pageSize = 1_000

/** Finds claimed runs without a task whose email does not exist. */
export async function listLostRuns(tx: TenantTx, claimedBefore: Date, limit: number): Promise<string[]> {
  const claimed = await listClaimedEmailRuns(tx, claimedBefore, pageSize)
  const emails = await listEmailsById(tx, claimed)
  return claimed.filter((id) => !emails.has(id)).slice(0, limit)
}

export async function repairLostRuns(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  const locked = await lockRunsWithParents(tx, ids)
  const emails = await listEmailsById(tx, ids)
  const isLost = ({ id, state, task_user_id }: RunRow) =>
    state === 'claimed' && task_user_id === null && !emails.has(id)
  const lost = locked.runs.filter(isLost)
  await endRuns(
    tx,
    lost.map(({ id }) => ({ id, state: 'skipped', skip_reason: 'paused' })),
  )
  const isWaiting = (run: RunRow) => {
    const { status, current_step_id } = locked.enrollmentOf(run)
    return status === 'active' && current_step_id === run.step_id
  }
  const enrollments = lost.filter(isWaiting).map(locked.enrollmentOf)
  await addCounts(tx, await planEnrollments(tx, locked.cadences, enrollments, { now }))
  return lost.length
}

const maxChecked = 10_000

export async function repairEnrollmentsWithoutRun(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  const cadences = await lockCadencesShared(tx, await listCadenceIds(tx, ids))
  const locked = await lockEnrollments(tx, ids)
  const still = new Set(await listEnrollmentsWithoutRun(tx, maxChecked))
  const broken = locked.filter(({ id }) => still.has(id))
  await addCounts(tx, await planEnrollments(tx, cadences, broken, { now }))
  return broken.length
}

export async function repairRepeatedEnrollments(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  const still = new Set(await listRepeatedEnrollments(tx, maxChecked))
  const exited = await exitEnrollments(
    tx,
    ids.filter((id) => still.has(id)),
    'merged',
    now,
  )
  return exited.length
}
