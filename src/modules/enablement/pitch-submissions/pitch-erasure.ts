import { systemClock } from '#platform/clock'
import { deleteFilesNow } from '#platform/files'
import type { Erasure, ErasureBatch } from '#platform/module'
import {
  clearFeedbackAuthor,
  deleteAssignmentsOfUser,
  deleteSubmissions,
  listExemplarIdsOfUser,
  lockSubmissionsOfUser,
  removeUserFromPrompts,
} from './pitch-erasure.queries.ts'

const batchSize = 100

/** Deletes the pitches of a user with their recordings. Feedback on pitches of other users stays without a name. */
export const pitchErasure: Erasure = {
  name: 'enablement.pitch_submissions',
  async erase(tx, subject): Promise<ErasureBatch> {
    if (!('user_id' in subject)) return { counts: {} }
    const { user_id: userId } = subject
    const prompts = await removeUserFromPrompts(tx, userId, await listExemplarIdsOfUser(tx, userId))
    const assignments = await deleteAssignmentsOfUser(tx, userId)
    const submissions = await lockSubmissionsOfUser(tx, userId, batchSize)
    await deleteFilesNow(
      tx,
      { clock: systemClock },
      submissions.flatMap(({ file_id }) => file_id ?? []),
    )
    await deleteSubmissions(
      tx,
      submissions.map(({ id }) => id),
    )
    const { reviews, comments } = await clearFeedbackAuthor(tx, userId)
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
