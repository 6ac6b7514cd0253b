import type { TenantTx } from '#platform/db'
import { addCounts } from '../cadence-records/add-counts.queries.ts'
import { lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { exitEnrollments } from '../cadence-records/end-enrollments.service.ts'
import { listCadenceIds, lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { planEnrollments } from '../cadence-runs/plan-runs.service.ts'
import { listEnrollmentsWithoutRun, listRepeatedEnrollments } from './live-enrollments.queries.ts'

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
