import { type Static, Type } from 'typebox'
import { Id, named, nullable, Reference, strict, Timestamp } from '#platform/schema'
import { CertificateSummary } from '../certificates/certificates.schemas.ts'
import { LearnerQuestion } from '../quizzes/questions.schemas.ts'
import {
  enrollmentSources,
  enrollmentStatuses,
  gradings,
  moduleKinds,
  moduleStates,
  pathStatuses,
  pathTypes,
  reviewPolicies,
} from '../records/learning.schemas.ts'
import { lockReasons } from './progress.rules.ts'

const Day = Type.String({ format: 'date' })

const PathSummary = strict({
  id: Id,
  title: Type.String(),
  type: Type.Enum([...pathTypes]),
  status: Type.Enum([...pathStatuses]),
})

const enrollment = {
  id: Id,
  path: PathSummary,
  user: nullable(Reference),
  cycle: Type.Integer({ description: 'Counts how often the user takes the path.' }),
  source: Type.Enum([...enrollmentSources]),
  assigned_by: nullable(Reference),
  is_mandatory: Type.Boolean(),
  status: Type.Enum([...enrollmentStatuses]),
  due_on: nullable(Day),
  is_overdue: Type.Boolean(),
  started_at: nullable(Timestamp),
  completed_at: nullable(Timestamp),
  progress_rate: Type.Number({ description: 'Share of the required modules that are completed or waived.' }),
  score: nullable(Type.Number({ description: 'Mean score of the required modules that have one.' })),
  updates_available: Type.Boolean({ description: 'The path has other modules than this enrollment.' }),
  certificate: nullable(CertificateSummary),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const Enrollment = named('LearningEnrollment', strict(enrollment))
export type Enrollment = Static<typeof Enrollment>

const NextModule = strict({ id: Id, title: Type.String(), kind: Type.Enum([...moduleKinds]) })

export const OwnEnrollment = named(
  'OwnLearningEnrollment',
  strict({ ...enrollment, next_module: nullable(NextModule) }),
)
export type OwnEnrollment = Static<typeof OwnEnrollment>

const QuizSummary = strict({
  passing_score: Type.Integer(),
  max_attempts: nullable(Type.Integer()),
  cooldown_minutes: Type.Integer(),
  grading: Type.Enum([...gradings]),
  time_limit_seconds: nullable(Type.Integer()),
  review: Type.Enum([...reviewPolicies]),
  requires_attempt: Type.Boolean({ description: 'Timed, or with drawn questions: start the quiz first.' }),
})

const AssignmentSummary = strict({
  instructions: Type.String(),
  requires: Type.Enum(['text', 'link', 'both']),
  max_points: Type.Integer(),
  passing_points: Type.Integer(),
})

const OpenAttempt = strict({
  id: Id,
  number: Type.Integer(),
  started_at: Timestamp,
  deadline_at: nullable(Timestamp),
})
const LastAttempt = strict({
  id: Id,
  number: Type.Integer(),
  score: Type.Number(),
  passed: Type.Boolean(),
  submitted_at: Timestamp,
})

const EnrollmentModule = strict({
  module_id: Id,
  position: Type.Integer(),
  title: Type.String(),
  kind: Type.Enum([...moduleKinds]),
  is_required: Type.Boolean(),
  description: nullable(Type.String()),
  estimated_minutes: Type.Integer(),
  state: Type.Enum([...moduleStates]),
  score: nullable(Type.Number()),
  completed_at: nullable(Timestamp),
  locked: Type.Boolean(),
  locked_by: Type.Array(strict({ reason: Type.Enum([...lockReasons]), ref: nullable(Id), until: nullable(Timestamp) })),
  content_item_id: nullable(Id),
  body: nullable(Type.String({ description: 'Null while the module is locked.' })),
  min_seconds: Type.Integer(),
  min_progress: Type.Number(),
  seen_seconds: Type.Integer({ description: 'Seconds tracked since the enrollment.' }),
  seen_progress: Type.Number(),
  scenario_id: nullable(Id),
  prompt_id: nullable(Id),
  min_score: nullable(Type.Integer()),
  allow_voice: Type.Boolean(),
  assignment: nullable(AssignmentSummary),
  submission: nullable(
    strict({ text: nullable(Type.String()), link: nullable(Type.String()), submitted_at: Timestamp }),
  ),
  review: nullable(
    strict({
      decision: Type.Enum(['pass', 'fail', 'waive', 'reset']),
      points: nullable(Type.Integer()),
      comment: nullable(Type.String()),
      reviewer: nullable(Reference),
      reviewed_at: Timestamp,
    }),
  ),
  quiz: nullable(QuizSummary),
  attempts: Type.Integer(),
  attempts_left: nullable(Type.Integer({ description: 'Null: any number.' })),
  next_attempt_at: nullable(Timestamp),
  open_attempt: nullable(OpenAttempt),
  last_attempt: nullable(LastAttempt),
  questions: nullable(
    Type.Array(LearnerQuestion, { description: 'Of an unlocked quiz that needs no attempt; else null.' }),
  ),
})
export type EnrollmentModule = Static<typeof EnrollmentModule>

export const EnrollmentDetails = named(
  'LearningEnrollmentDetails',
  strict({ ...enrollment, modules: Type.Array(EnrollmentModule) }),
)
export type EnrollmentDetails = Static<typeof EnrollmentDetails>

export const EnrollmentParams = strict({ enrollment_id: Id })
export const EnrollmentModuleParams = strict({ enrollment_id: Id, module_id: Id })
