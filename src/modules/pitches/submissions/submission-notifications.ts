import { Type } from 'typebox'
import { filterActiveUserIds, findActiveTeamLead, listManagerIdsToNotify } from '#modules/identity'
import { actorOf, type TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, nullable, strict } from '#platform/schema'
import { isReviewedByCoaches, readReviewers } from '../prompts/reviewers.service.ts'
import type { SubmissionRow } from './submission-row.ts'
import { isPrivate, titleOf, toNumber } from './submissions.rules.ts'

/** Without names, because the notifications of other users outlive the erasure of a user. */
const submission = { submission_id: Id, title: Type.String() }
const pathOf = (submissionId: string) => `/pitch/submissions/${submissionId}`
const options = { channels: { in_app: true, email: true }, canBeDisabled: true } as const

const reviewRequested = defineNotification('pitch.review_requested', {
  description: 'a pitch waits for your review',
  payload: strict(submission),
  text: ({ submission_id, title }) => ({
    title: `Pitch to review: ${title}`,
    body: 'A pitch waits for your review.',
    path: pathOf(submission_id),
  }),
  ...options,
})

const pitchReviewed = defineNotification('pitch.reviewed', {
  description: 'your pitch was reviewed',
  payload: strict({ ...submission, score: nullable(Type.Number()) }),
  text: ({ submission_id, title, score }) => ({
    title: `Reviewed pitch: ${title}`,
    body: score === null ? 'Your pitch was reviewed.' : `Your pitch has ${Math.round(score)} of 100 points.`,
    path: pathOf(submission_id),
  }),
  ...options,
})

const pitchReturned = defineNotification('pitch.returned', {
  description: 'your pitch was returned for another take',
  payload: strict(submission),
  text: ({ submission_id, title }) => ({
    title: `Returned pitch: ${title}`,
    body: 'A reviewer asks for another take. Read the comments, then record a new one.',
    path: pathOf(submission_id),
  }),
  ...options,
})

const pitchCommented = defineNotification('pitch.commented', {
  description: 'a user commented on your pitch or answered your comment',
  payload: strict(submission),
  text: ({ submission_id, title }) => ({
    title: `Comment on a pitch: ${title}`,
    body: 'There is a new comment.',
    path: pathOf(submission_id),
  }),
  ...options,
})

const resourceOf = ({ id }: SubmissionRow) => ({ resource: { type: 'pitch_submission', id } })
const payloadOf = (pitch: SubmissionRow) => ({ submission_id: pitch.id, title: titleOf(pitch) })

/** Notifies the reviewers of the prompt. If there are too few, also the lead of the author's team, else managers. */
export async function notifyReviewers(tx: TenantTx, submitted: SubmissionRow): Promise<void> {
  if (isPrivate(submitted) || submitted.prompt_snapshot.min_reviews === 0) return
  const reviewers = await readReviewers(tx, submitted.prompt_id)
  const coaches = isReviewedByCoaches(reviewers, submitted.user_id) ? await listCoaches(tx, submitted) : []
  for (const userId of new Set([...(reviewers?.activeIds ?? []), ...coaches]))
    if (userId !== submitted.user_id)
      await notify(tx, userId, reviewRequested, payloadOf(submitted), {
        ...resourceOf(submitted),
        dedupeKey: `submission:${submitted.id}`,
      })
}

async function listCoaches(tx: TenantTx, { user_id }: SubmissionRow): Promise<string[]> {
  const lead = await findActiveTeamLead(tx, user_id)
  return lead ? [lead] : await listManagerIdsToNotify(tx)
}

export async function notifyAuthor(tx: TenantTx, reviewed: SubmissionRow): Promise<void> {
  const [userId] = await filterActiveUserIds(tx, [reviewed.user_id])
  if (userId === undefined || userId === actorOf(tx).userId) return
  const payload = payloadOf(reviewed)
  if (reviewed.status === 'returned') await notify(tx, userId, pitchReturned, payload, resourceOf(reviewed))
  if (reviewed.status === 'reviewed')
    await notify(tx, userId, pitchReviewed, { ...payload, score: toNumber(reviewed.final_score) }, resourceOf(reviewed))
}

/** Notifies the author of the pitch and the author of the comment that was answered, who no longer sees private practice. */
export async function notifyCommented(
  tx: TenantTx,
  commented: SubmissionRow,
  { authorId, parentAuthorId }: { authorId: string; parentAuthorId: string | null },
): Promise<void> {
  if (isPrivate(commented)) return
  const others = [commented.user_id, ...(parentAuthorId ? [parentAuthorId] : [])].filter((id) => id !== authorId)
  for (const userId of await filterActiveUserIds(tx, others))
    await notify(tx, userId, pitchCommented, payloadOf(commented), resourceOf(commented))
}
