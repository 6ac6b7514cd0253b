import type { Selectable } from 'kysely'
import type { TranscriptSegment } from '#platform/ai'
import type { Database } from '#platform/db'
import type { PromptRow } from '../prompts/prompt-row.ts'
import type { PitchEvaluation } from './evaluation.schemas.ts'
import type { EvaluationState, SubmissionStatus } from './submissions.schemas.ts'

export const submissionColumns = [
  'id',
  'prompt_id',
  'user_id',
  'is_practice',
  'take_no',
  'title',
  'status',
  'review_requested',
  'due_on',
  'file_id',
  'video_deleted_at',
  'duration_seconds',
  'transcript',
  'segments',
  'transcript_source',
  'prompt_snapshot',
  'evaluation_state',
  'evaluation',
  'evaluation_error',
  'task_id',
  'ai_score',
  'human_score',
  'final_score',
  'passed',
  'is_exemplar',
  'exemplar_consent',
  'submitted_at',
  'created_at',
  'updated_at',
  'version',
] as const

/** Practice without a prompt has no time limit. */
export type PromptSnapshot = Pick<
  PromptRow,
  'title' | 'instructions' | 'criteria' | 'criteria_version' | 'passing_score' | 'min_reviews' | 'language'
> & { time_limit_seconds: number | null }

type Columns = Selectable<Database['enablement.pitch_submissions']>
type TypedColumns = {
  status: SubmissionStatus
  segments: TranscriptSegment[] | null
  transcript_source: 'supplied' | 'engine' | null
  prompt_snapshot: PromptSnapshot
  evaluation_state: EvaluationState
  evaluation: PitchEvaluation | null
}
export type SubmissionRow = Omit<Pick<Columns, (typeof submissionColumns)[number]>, keyof TypedColumns> & TypedColumns
