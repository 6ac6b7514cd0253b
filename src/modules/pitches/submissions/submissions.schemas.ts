import { type Static, Type } from 'typebox'
import { CriterionSummary } from '#modules/coaching'
import {
  CalendarDay,
  clearable,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  pageOf,
  Reference,
  sortOrder,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'
import { PitchEvaluation } from './evaluation.schemas.ts'
import { PitchComment, PitchReview } from './feedback.schemas.ts'

export const submissionStatuses = ['draft', 'submitted', 'reviewed', 'returned'] as const
export type SubmissionStatus = (typeof submissionStatuses)[number]
export const evaluationStates = ['none', 'queued', 'running', 'done', 'failed'] as const
export type EvaluationState = (typeof evaluationStates)[number]

const at = nullable(Timestamp)
const score = (description: string) => nullable(Type.Number({ description }))

const summaryFields = {
  id: Id,
  prompt_id: nullable({ ...Id, description: 'Null for practice without a prompt, or after the prompt was deleted.' }),
  prompt: strict({ title: Type.String(), time_limit_seconds: nullable(Type.Integer()) }),
  user_id: Id,
  user: Reference,
  is_practice: Type.Boolean({ description: 'Only the author sees practice, unless a review is requested.' }),
  take_no: nullable(Type.Integer()),
  title: nullable(Type.String()),
  status: Type.Enum([...submissionStatuses]),
  review_requested: Type.Boolean(),
  due_on: nullable(CalendarDay),
  has_video: Type.Boolean(),
  has_transcript: Type.Boolean(),
  duration_seconds: nullable(Type.Number()),
  evaluation_state: Type.Enum([...evaluationStates]),
  ai_score: score('Overall score of the evaluation.'),
  human_score: score('Mean of the reviews, not rounded.'),
  final_score: score('`human_score`, else `ai_score`.'),
  passed: nullable(Type.Boolean()),
  is_exemplar: Type.Boolean({ description: 'Shown to all users as an example.' }),
  exemplar_consent: Type.Boolean({ description: 'The author allows that the pitch becomes an exemplar.' }),
  submitted_at: at,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const SubmissionSummary = named('PitchSubmissionSummary', strict(summaryFields))
export type SubmissionSummary = Static<typeof SubmissionSummary>

const Segment = strict({ start: Type.Number(), end: Type.Number(), text: Type.String() })

export const Video = strict({
  stream_url: nullable(
    Type.String({ description: 'URL with a ticket, valid for an hour. Null after the video was deleted.' }),
  ),
  media_type: nullable(Type.String()),
  size_bytes: nullable(Type.Integer()),
  duration_seconds: nullable(Type.Number()),
  deleted_at: nullable({ ...Timestamp, description: 'Set when the retention period ended.' }),
})
export type Video = Static<typeof Video>

export const Submission = named(
  'PitchSubmission',
  strict({
    ...summaryFields,
    instructions: nullable(Type.String()),
    criteria: Type.Array(CriterionSummary),
    criteria_version: Type.Integer(),
    passing_score: Type.Integer(),
    min_reviews: Type.Integer(),
    transcript: nullable(Type.String()),
    transcript_source: nullable(
      Type.Enum(['supplied', 'engine'], { description: '`engine` if the recording was transcribed.' }),
    ),
    segments: nullable(Type.Array(Segment, { description: 'The transcript with times in seconds.' })),
    evaluation: nullable(PitchEvaluation),
    evaluation_error: nullable(Type.String({ description: 'Why the last evaluation failed.' })),
    video: nullable(Video),
    reviews: Type.Array(PitchReview, {
      description:
        'For the author, coaches and reviewers; others who see an exemplar get no reviews, comments and scores.',
    }),
    comments: Type.Array(PitchComment, { description: 'In the order of the recording.' }),
  }),
)
export type Submission = Static<typeof Submission>

const Transcript = Type.String({ minLength: 1, maxLength: 100_000, description: 'What was said.' })
const Duration = Type.Number({ description: 'Length of the recording in seconds.', minimum: 1, maximum: 3_600 })
const Title = Line(150)

/** Fields of a recording, also in the form of an upload. */
export const recordingFields = { transcript: Type.Optional(Transcript), duration_seconds: Type.Optional(Duration) }

export const NewTake = withExample(strict({ ...recordingFields, title: clearable(Title) }), { title: 'Second attempt' })
export type NewTake = Static<typeof NewTake>

export const NewPractice = withExample(
  strict({
    ...recordingFields,
    title: clearable(Title),
    topic: Type.Optional(Line(200)),
    prompt_id: Type.Optional({ ...Id, description: 'An active prompt, whose criteria are used.' }),
    review_requested: Type.Optional(
      Type.Boolean({ description: 'Default: false. Coaches and reviewers see the practice if true.' }),
    ),
  }),
  { title: 'Warm-up', topic: 'Our new dashboard' },
)
export type NewPractice = Static<typeof NewPractice>

export const SubmissionChanges = strict({
  title: clearable(Title),
  review_requested: Type.Optional(Type.Boolean({ description: 'For practice.' })),
  exemplar_consent: Type.Optional(Type.Boolean({ description: '`false` also ends `is_exemplar`.' })),
  is_exemplar: Type.Optional(Type.Boolean({ description: 'Set by coaches; needs the consent of the author.' })),
})
export type SubmissionChanges = Static<typeof SubmissionChanges>

export const SubmissionParams = strict({ submission_id: Id })

export const MySubmissionsQuery = listQuery({
  prompt_id: Type.Optional(Id),
  status: Type.Optional(Type.Enum([...submissionStatuses])),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type MySubmissionsQuery = Static<typeof MySubmissionsQuery>

const PitchAssignment = named(
  'PitchAssignment',
  strict({
    id: Id,
    prompt_id: Id,
    prompt: strict({ title: Type.String() }),
    due_on: nullable(CalendarDay),
    status: Type.Enum(['open', 'done']),
    takes: Type.Integer(),
    best_score: nullable(Type.Number()),
  }),
)
export type PitchAssignment = Static<typeof PitchAssignment>

export const MySubmissions = strict({
  assignments: Type.Array(PitchAssignment, {
    description: 'Open assignments of the caller, up to 200, those with the earliest due date first.',
  }),
  ...pageOf(SubmissionSummary).properties,
})
export type MySubmissions = Static<typeof MySubmissions>
