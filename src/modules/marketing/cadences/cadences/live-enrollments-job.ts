import { type Static, Type } from 'typebox'
import { defineJob } from '#platform/jobs'
import { Id, strict } from '#platform/schema'

const EnrollmentChange = Type.Enum(['exit', 'plan', 'leave_removed_steps'])
export type EnrollmentChange = Static<typeof EnrollmentChange>

export const updateLiveEnrollments = defineJob(
  'marketing.update_enrollments',
  'bulk',
  strict({ cadence_id: Id, change: EnrollmentChange, after: Id }),
)

export const closeRemovedTasks = defineJob(
  'marketing.close_removed_tasks',
  'bulk',
  strict({ activity_ids: Type.Array(Id) }),
)
