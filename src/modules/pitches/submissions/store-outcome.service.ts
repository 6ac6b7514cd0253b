import { meanScore } from '#modules/coaching'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { emit } from '#platform/outbox'
import { pitchReturned, pitchReviewed } from '../pitches.events.ts'
import { lockAssignment, refreshAssignments } from '../prompts/assignments.queries.ts'
import { listReviews } from './feedback.queries.ts'
import { notifyAuthor } from './submission-notifications.ts'
import type { SubmissionRow } from './submission-row.ts'
import { findSubmission, lockPromptOfSubmission, lockSubmission, updateSubmissionRow } from './submissions.queries.ts'
import { deriveStatus, isPrivate, toNumber } from './submissions.rules.ts'

type LockedSubmission = { submission: SubmissionRow; assignmentId: string | null }

/** Locks a submission after its prompt and assignment, whose rows a changed outcome may change too. */
export async function lockSubmissionWithAssignment(
  tx: TenantTx,
  id: string,
  { changesPrompt = false } = {},
): Promise<LockedSubmission> {
  const found = await findSubmission(tx, id)
  if (!found) throw notFound('submission')
  const { prompt_id, user_id, is_practice } = found
  if (prompt_id) await lockPromptOfSubmission(tx, prompt_id, { isShared: !changesPrompt })
  const assignment = prompt_id && !is_practice ? await lockAssignment(tx, prompt_id, user_id) : undefined
  return { submission: await lockSubmission(tx, id), assignmentId: assignment?.id ?? null }
}

/** Derives scores and status of a locked submission from its evaluation and reviews, and completes the assignment. */
export async function storeOutcome(
  tx: TenantTx,
  { submission, assignmentId }: LockedSubmission,
): Promise<SubmissionRow> {
  const { id, ai_score: aiScore, prompt_snapshot: snapshot } = submission
  const reviews = await listReviews(tx, id)
  const human = meanScore(reviews.map(({ score }) => Number(score)))
  const final = human ?? aiScore
  const outcome = await updateSubmissionRow(tx, id, {
    human_score: human,
    final_score: final,
    passed: final === null ? null : final >= snapshot.passing_score,
    status: deriveStatus(snapshot, { decisions: reviews.map(({ decision }) => decision), aiScore }),
  })
  if (assignmentId) await refreshAssignments(tx, [assignmentId])
  if (outcome.status !== submission.status) await recordOutcome(tx, outcome)
  return outcome
}

async function recordOutcome(tx: TenantTx, outcome: SubmissionRow): Promise<void> {
  const { user_id, prompt_id, final_score, passed, status } = outcome
  const data = { user_id, prompt_id, score: toNumber(final_score), passed }
  if (status === 'reviewed' && !isPrivate(outcome)) await emit(tx, pitchReviewed, outcome, data)
  if (status === 'returned' && !isPrivate(outcome)) await emit(tx, pitchReturned, outcome, data)
  await notifyAuthor(tx, outcome)
}
