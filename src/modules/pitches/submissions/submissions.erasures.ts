import { systemClock } from '#platform/clock'
import { raiseStatementTimeout, type TenantTx } from '#platform/db'
import { redactStoredResponses } from '#platform/idempotency'
import type { Erasure, ErasureBatch } from '#platform/module'
import { deleteRecordings } from './delete-submission.service.ts'
import {
  deleteAssignmentsOfUser,
  deleteSubmissions,
  eraseCommentsOfUser,
  eraseReviewsOfUser,
  listExemplarIdsOfUser,
  lockSubmissionsOfUser,
  removeUserFromPrompts,
} from './pitch-erasure.queries.ts'

const batchSize = 100
const scanSeconds = 60
const erasedComment = 'This comment was erased.'

/** Deletes the pitches of a user with their recordings. Feedback of the user on other pitches stays as scores, without texts and name. */
export const pitchErasure: Erasure = {
  name: 'enablement.pitch_submissions',
  async erase(tx, subject): Promise<ErasureBatch> {
    if (!('user_id' in subject)) return { counts: {} }
    const { user_id: userId } = subject
    const prompts = await removeUserFromPrompts(tx, userId, await listExemplarIdsOfUser(tx, userId))
    const assignments = await deleteAssignmentsOfUser(tx, userId)
    const submissions = await lockSubmissionsOfUser(tx, userId, batchSize)
    await deleteRecordings(tx, { clock: systemClock }, submissions)
    const ids = submissions.map(({ id }) => id)
    await deleteSubmissions(tx, ids)
    await redactResponsesAbout(tx, ids)
    const reviews = await eraseReviewsOfUser(tx, userId)
    const comments = await eraseCommentsOfUser(tx, userId, erasedComment)
    return {
      counts: {
        'enablement.pitch_prompts': prompts,
        'enablement.pitch_assignments': assignments,
        'enablement.pitch_submissions': submissions.length,
        'enablement.pitch_reviews': reviews,
        'enablement.pitch_comments': comments,
      },
      ...(submissions.length === batchSize && { next: 'submissions' }),
    }
  },
}

/** Reviews and comments of other users name only the pitch. */
async function redactResponsesAbout(tx: TenantTx, submissionIds: readonly string[]): Promise<void> {
  if (!submissionIds.length) return
  await raiseStatementTimeout(tx, scanSeconds)
  await redactStoredResponses(tx, submissionIds)
}
