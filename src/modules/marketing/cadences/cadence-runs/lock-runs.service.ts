import type { TenantTx } from '#platform/db'
import { type CadenceRow, lockCadencesShared } from '../cadence-records/cadences.queries.ts'
import { type EnrollmentRow, listCadenceIds, lockEnrollments } from '../cadence-records/enrollments.queries.ts'
import { listRuns, lockRuns, type RunRow } from '../cadence-records/runs.queries.ts'

export type LockedRuns = {
  cadences: CadenceRow[]
  enrollments: EnrollmentRow[]
  runs: RunRow[]
  cadenceOf(run: RunRow): CadenceRow
  enrollmentOf(run: RunRow): EnrollmentRow
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)]

/** Locks runs after their cadences and enrollments. Unknown runs are left out. */
export async function lockRunsWithParents(tx: TenantTx, runIds: readonly string[]): Promise<LockedRuns> {
  const found = await listRuns(tx, runIds)
  const cadences = await lockCadencesShared(tx, unique(found.map(({ cadence_id }) => cadence_id)))
  const enrollments = await lockEnrollments(tx, unique(found.map(({ enrollment_id }) => enrollment_id)))
  const runs = await lockRuns(
    tx,
    found.map(({ id }) => id),
  )
  const cadenceById = new Map(cadences.map((cadence) => [cadence.id, cadence]))
  const enrollmentById = new Map(enrollments.map((enrollment) => [enrollment.id, enrollment]))
  return {
    cadences,
    enrollments,
    runs,
    cadenceOf: ({ cadence_id }) => cadenceById.get(cadence_id)!,
    enrollmentOf: ({ enrollment_id }) => enrollmentById.get(enrollment_id)!,
  }
}

type LockedEnrollments = Pick<LockedRuns, 'enrollments'> & { cadenceOf(enrollment: EnrollmentRow): CadenceRow }

export async function lockEnrollmentsWithCadences(tx: TenantTx, ids: readonly string[]): Promise<LockedEnrollments> {
  const cadences = await lockCadencesShared(tx, await listCadenceIds(tx, ids))
  const cadenceById = new Map(cadences.map((cadence) => [cadence.id, cadence]))
  const enrollments = await lockEnrollments(tx, ids)
  return { enrollments, cadenceOf: ({ cadence_id }) => cadenceById.get(cadence_id)! }
}
