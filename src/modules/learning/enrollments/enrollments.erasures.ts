import type { Erasure, ErasureBatch } from '#platform/module'
import {
  clearAssigner,
  clearHolder,
  clearReviewer,
  deleteEnrollments,
  lockEnrollmentsOf,
  lockEnrollmentsReviewedBy,
} from './learning-erasure.queries.ts'

const batchSize = 100

/** Deletes the enrollments of a user with answers and submissions. Reviews and certificates stay without a name. */
export const learningErasure: Erasure = {
  name: 'enablement.learning_enrollments',
  async erase(tx, subject): Promise<ErasureBatch> {
    if (!('user_id' in subject)) return { counts: {} }
    const { user_id: userId } = subject
    const own = await lockEnrollmentsOf(tx, 'user_id', userId, batchSize)
    await deleteEnrollments(tx, own)
    const assigned = own.length ? [] : await lockEnrollmentsOf(tx, 'assigned_by', userId, batchSize)
    await clearAssigner(tx, assigned)
    const isLast = !own.length && !assigned.length
    const reviewed = isLast ? await lockEnrollmentsReviewedBy(tx, userId, batchSize) : []
    const reviews = await clearReviewer(tx, userId, reviewed)
    const certificates = isLast && !reviewed.length ? await clearHolder(tx, userId) : 0
    return {
      counts: {
        'enablement.learning_enrollments': own.length + assigned.length,
        'enablement.enrollment_modules': reviews,
        'enablement.certificates': certificates,
      },
      ...((!isLast || reviewed.length > 0) && { next: 'enrollments' }),
    }
  },
}
