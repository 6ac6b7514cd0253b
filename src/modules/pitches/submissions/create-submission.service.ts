import { recordPracticeAudit } from '#modules/coaching'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { pitchCreated } from '../pitches.events.ts'
import { findAssignment } from '../prompts/assignments.queries.ts'
import { lockPromptShared } from '../prompts/prompts.queries.ts'
import { canSeePrompt } from '../prompts/prompts.rules.ts'
import { type PitchContext, presentSubmission } from './present-submission.service.ts'
import type { PromptSnapshot, SubmissionRow } from './submission-row.ts'
import { insertSubmission, lockTakesOfUser, readTakes } from './submissions.queries.ts'
import { isPrivate, practiceSnapshot, takeSnapshot, toAuditedChange } from './submissions.rules.ts'
import type { NewPractice, NewTake, Submission } from './submissions.schemas.ts'
import { recordSubmitted } from './update-submission.service.ts'

const author = { isAuthor: true, isCoach: false, isReviewer: false }

export async function createPitchSubmission(
  tx: TenantTx,
  context: PitchContext,
  actor: UserActor,
  promptId: string,
  input: NewTake,
): Promise<Submission> {
  const { userId } = actor
  await lockTakesOfUser(tx, userId)
  const prompt = await lockPromptShared(tx, promptId)
  if (!prompt || !canSeePrompt(prompt, actor)) throw notFound('prompt')
  if (prompt.status !== 'active')
    throw conflict('prompt_not_active', `The prompt must be active. It is ${prompt.status}.`)
  const [{ last, draft_id }, assignment] = await Promise.all([
    readTakes(tx, promptId, userId),
    findAssignment(tx, promptId, userId),
  ])
  if (draft_id)
    throw conflict('draft_exists', 'Upload the recording of your last take, or delete it, before you start another.', {
      submission_id: draft_id,
    })
  if (last >= prompt.max_takes)
    throw conflict('no_takes_left', `The prompt allows ${prompt.max_takes} takes, and all are used.`)
  const take = { prompt_id: promptId, take_no: last + 1, due_on: assignment?.due_on ?? null }
  const submission = await insertRecorded(tx, context, { ...take, user_id: userId }, takeSnapshot(prompt), input)
  return await presentSubmission(tx, context, actor, submission, author)
}

export async function createPitchPractice(
  tx: TenantTx,
  context: PitchContext,
  actor: UserActor,
  { prompt_id, topic, review_requested = false, ...input }: NewPractice,
): Promise<Submission> {
  const prompt = prompt_id === undefined ? undefined : await lockPromptShared(tx, prompt_id)
  if (prompt_id !== undefined && prompt?.status !== 'active') throw unknownReference('/prompt_id', 'active prompt')
  const snapshot = prompt ? takeSnapshot(prompt) : practiceSnapshot(topic)
  const practice = { user_id: actor.userId, prompt_id: prompt?.id ?? null, is_practice: true, review_requested }
  const submission = await insertRecorded(tx, context, practice, snapshot, input)
  return await presentSubmission(tx, context, actor, submission, author)
}

type Take = Pick<SubmissionRow, 'user_id' | 'prompt_id'> &
  Partial<Pick<SubmissionRow, 'take_no' | 'due_on' | 'is_practice' | 'review_requested'>>

/** A pitch with a transcript is submitted at once; another one is a draft until its recording is uploaded. */
async function insertRecorded(
  tx: TenantTx,
  { clock }: PitchContext,
  take: Take,
  snapshot: PromptSnapshot,
  { transcript, duration_seconds, title = null }: NewTake,
): Promise<SubmissionRow> {
  const now = clock.now()
  const submission = await insertSubmission(tx, {
    ...take,
    id: newId(),
    title,
    duration_seconds: duration_seconds ?? null,
    prompt_snapshot: JSON.stringify(snapshot),
    created_at: now,
    ...(transcript !== undefined && {
      transcript,
      transcript_source: 'supplied',
      status: 'submitted',
      submitted_at: now,
    }),
  })
  const { user_id, prompt_id, take_no } = submission
  await recordPracticeAudit(tx, 'pitch_submission.created', toAuditedChange(null, submission))
  if (!isPrivate(submission)) await emit(tx, pitchCreated, submission, { user_id, prompt_id, take_no })
  if (submission.status === 'submitted') await recordSubmitted(tx, null, submission)
  return submission
}
