import type { Selectable } from 'kysely'
import type { Database } from '#platform/db'
import type { EnrollmentSource, EnrollmentStatus, ModuleState } from './learning.schemas.ts'

export const enrollmentColumns = [
  'id',
  'path_id',
  'user_id',
  'cycle',
  'source',
  'assigned_by',
  'is_mandatory',
  'status',
  'due_on',
  'started_at',
  'completed_at',
  'revision',
  'progress_rate',
  'score',
  'earns_certificate',
  'deactivated_revision',
  'created_at',
  'updated_at',
  'version',
] as const

type Columns = Selectable<Database['enablement.learning_enrollments']>
type TypedColumns = { source: EnrollmentSource; status: EnrollmentStatus }
export type EnrollmentRow = Omit<Pick<Columns, (typeof enrollmentColumns)[number]>, keyof TypedColumns> & TypedColumns

export const enrollmentModuleColumns = [
  'enrollment_id',
  'module_id',
  'position',
  'is_required',
  'state',
  'score',
  'attempts',
  'extra_attempts',
  'graded_from',
  'seconds',
  'submission',
  'review',
  'reviewed_by',
  'completed_at',
] as const

export type Submission = { text?: string; link?: string; submitted_at: string }
export type ModuleReview = {
  decision: 'pass' | 'fail' | 'waive' | 'reset'
  points: number | null
  comment: string | null
  reviewed_at: string
}

type ModuleColumns = Selectable<Database['enablement.enrollment_modules']>
type TypedModuleColumns = { state: ModuleState; submission: Submission | null; review: ModuleReview | null }
export type EnrollmentModuleRow = Omit<
  Pick<ModuleColumns, (typeof enrollmentModuleColumns)[number]>,
  keyof TypedModuleColumns
> &
  TypedModuleColumns
