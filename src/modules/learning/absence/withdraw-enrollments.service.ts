import type { TenantTx } from '#platform/db'
import { withdrawEnrollment } from '../enrollments/update-enrollment.service.ts'
import { isOpen } from '../progress/progress.rules.ts'
import { lockEnrollments } from '../records/enrollments.queries.ts'
import { lockPathsShared } from '../records/paths.queries.ts'
import { listEnrollmentsToWithdraw } from './absence.queries.ts'

/** Withdraws the open and failed enrollments of a user until the reactivation. The locks of the paths keep their revisions. */
export async function withdrawEnrollments(tx: TenantTx, userId: string): Promise<void> {
  const found = await listEnrollmentsToWithdraw(tx, userId)
  const paths = await lockPathsShared(
    tx,
    found.map(({ path_id }) => path_id),
  )
  const pathOf = new Map(paths.map((path) => [path.id, path]))
  const enrollments = await lockEnrollments(
    tx,
    found.map(({ id }) => id),
  )
  for (const enrollment of enrollments) {
    const path = pathOf.get(enrollment.path_id)
    if (path && (isOpen(enrollment) || enrollment.status === 'failed'))
      await withdrawEnrollment(tx, enrollment, path, { deactivatedRevision: path.revision })
  }
}
