import { type Static, Type } from 'typebox'
import { Id, nullable, strict } from '#platform/schema'

export const pathTypes = ['onboarding', 'product', 'skills', 'compliance', 'certification', 'custom'] as const
export const pathStatuses = ['draft', 'published', 'archived'] as const
export const pathOrderings = ['sequential', 'free'] as const
export const moduleKinds = ['content', 'video', 'quiz', 'assignment', 'roleplay', 'pitch'] as const
export const enrollmentStatuses = ['not_started', 'in_progress', 'completed', 'failed', 'withdrawn'] as const
export const enrollmentSources = ['self', 'assigned', 'team', 'recertify'] as const
export const moduleStates = ['pending', 'in_progress', 'submitted', 'completed', 'failed', 'waived', 'removed'] as const
export const reviewPolicies = ['none', 'score_only', 'after_pass', 'after_final', 'after_submit'] as const
export const gradings = ['highest', 'latest', 'first', 'average'] as const

export type PathType = (typeof pathTypes)[number]
export type PathStatus = (typeof pathStatuses)[number]
export type ModuleKind = (typeof moduleKinds)[number]
export type EnrollmentStatus = (typeof enrollmentStatuses)[number]
export type EnrollmentSource = (typeof enrollmentSources)[number]
export type ModuleState = (typeof moduleStates)[number]
export type ReviewPolicy = (typeof reviewPolicies)[number]
export type Grading = (typeof gradings)[number]

/** Settings of the certificate of a path, as they are stored. */
export const CertificateSettings = strict({
  enabled: Type.Boolean(),
  title: nullable(Type.String()),
  valid_days: nullable(Type.Integer()),
  recertify: Type.Boolean(),
  recertify_lead_days: Type.Integer(),
})
export type CertificateSettings = Static<typeof CertificateSettings>

export const QuizDraw = strict({
  bank_id: Id,
  count: Type.Integer({ minimum: 1, maximum: 100 }),
  topics: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { minItems: 1, maxItems: 20, uniqueItems: true }),
  ),
})
export type QuizDraw = Static<typeof QuizDraw>

/** Settings of a quiz without its questions, as they are stored. */
export type QuizSettings = {
  passing_score: number
  max_attempts: number | null
  cooldown_minutes: number
  grading: Grading
  shuffle_questions: boolean
  shuffle_options: boolean
  time_limit_seconds: number | null
  partial_credit: boolean
  review: ReviewPolicy
  draws: QuizDraw[]
}

export type AssignmentSettings = {
  instructions: string
  requires: 'text' | 'link' | 'both'
  max_points: number
  passing_points: number
}
