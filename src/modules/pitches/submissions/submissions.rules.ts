import { completeCriteria } from '#modules/coaching'
import { conflict } from '#platform/errors'
import type { PromptRow } from '../prompts/prompt-row.ts'
import type { PromptSnapshot, SubmissionRow } from './submission-row.ts'

const practicePassingScore = 70
const practiceTitle = 'Practice'

const practiceCriteria = completeCriteria([
  { key: 'filler', name: 'Fillers', weight: 30, kind: 'filler' },
  { key: 'pace', name: 'Pace', weight: 30, kind: 'pace' },
  { key: 'next_step', name: 'Next step', weight: 40, kind: 'next_step' },
])

export const takeSnapshot = (prompt: PromptRow): PromptSnapshot => ({
  title: prompt.title,
  instructions: prompt.instructions,
  time_limit_seconds: prompt.time_limit_seconds,
  criteria: prompt.criteria,
  criteria_version: prompt.criteria_version,
  passing_score: prompt.passing_score,
  min_reviews: prompt.min_reviews,
  language: prompt.language,
})

export const practiceSnapshot = (topic: string | undefined): PromptSnapshot => ({
  title: topic ?? practiceTitle,
  instructions: null,
  time_limit_seconds: null,
  criteria: practiceCriteria,
  criteria_version: 1,
  passing_score: practicePassingScore,
  min_reviews: 1,
  language: 'en',
})

type Privacy = Pick<SubmissionRow, 'is_practice' | 'review_requested'>

/** Private practice does not exist for other users, not even for admins. */
export const isPrivate = ({ is_practice, review_requested }: Privacy): boolean => is_practice && !review_requested

/** The title of the prompt. The topic of practice is a text of its author, which must not outlive the pitch elsewhere. */
export const titleOf = ({ is_practice, prompt_id, prompt_snapshot }: SubmissionRow): string =>
  is_practice && prompt_id === null ? practiceTitle : prompt_snapshot.title

export function assertSubmitted({ status }: Pick<SubmissionRow, 'status'>): void {
  if (status === 'draft')
    throw conflict(
      'not_submitted',
      'The submission has neither a recording nor a transcript yet. Upload the recording first.',
    )
}

export function assertDraft({ status }: Pick<SubmissionRow, 'status'>): void {
  if (status !== 'draft') throw conflict('already_submitted', 'The submission has a recording already.')
}

const auditedFields = [
  'status',
  'review_requested',
  'ai_score',
  'human_score',
  'final_score',
  'passed',
  'is_exemplar',
] as const

const pickAudited = (submission: SubmissionRow) =>
  Object.fromEntries(auditedFields.map((field) => [field, submission[field]]))

export const toAuditedRecord = (submission: SubmissionRow) => ({
  id: submission.id,
  isPrivate: isPrivate(submission),
  label: titleOf(submission),
})

/** Without texts, because the audit log outlives the submission. Practice that becomes private has an entry without values. */
export function toAuditedChange(before: SubmissionRow | null, after: SubmissionRow) {
  const record = toAuditedRecord(after)
  if (record.isPrivate) return { ...record, isPrivate: !before || isPrivate(before), label: null }
  return { ...record, ...(before && { before: pickAudited(before) }), after: pickAudited(after) }
}

type Feedback = { decisions: readonly string[]; aiScore: number | null }

/** The status follows from the reviews, in whatever order they were added. */
export function deriveStatus(
  { min_reviews }: Pick<PromptSnapshot, 'min_reviews'>,
  { decisions, aiScore }: Feedback,
): 'submitted' | 'reviewed' | 'returned' {
  if (decisions.includes('returned')) return 'returned'
  if (min_reviews === 0 && (aiScore !== null || decisions.length)) return 'reviewed'
  return decisions.length && decisions.length >= min_reviews ? 'reviewed' : 'submitted'
}

export const toNumber = (value: string | number | null): number | null => (value === null ? null : Number(value))
