import { Type } from 'typebox'
import { filterActiveUserIds, listManagerIdsToNotify } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'
import type { SubmissionRow } from '../submissions/submission-row.ts'
import { isPrivate, titleOf } from '../submissions/submissions.rules.ts'

const videoInfected = defineNotification('pitch.video_infected', {
  description: 'the virus scan found a problem in a recording',
  payload: strict({ submission_id: Id, title: Type.String() }),
  text: ({ submission_id, title }) => ({
    title: 'A recording was put in quarantine',
    body: `The virus scan found a problem in a recording for "${title}". It cannot be played.`,
    path: `/pitch/submissions/${submission_id}`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: false,
})

/** Managers do not learn of private practice. */
export async function notifyInfectedVideo(tx: TenantTx, submission: SubmissionRow): Promise<void> {
  const { id, user_id } = submission
  const managers = isPrivate(submission) ? [] : await listManagerIdsToNotify(tx)
  const payload = { submission_id: id, title: titleOf(submission) }
  for (const userId of await filterActiveUserIds(tx, [user_id, ...managers]))
    await notify(tx, userId, videoInfected, payload, { resource: { type: 'pitch_submission', id } })
}
