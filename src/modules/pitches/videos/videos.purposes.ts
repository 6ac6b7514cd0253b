import { Type } from 'typebox'
import { filterActiveUserIds, findFileReader, listManagerIdsToNotify } from '#modules/identity'
import { actorOf, type TenantTx } from '#platform/db'
import { type FilePurpose, type FileReader, type FileRow, findFileByThumbnail } from '#platform/files'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'
import { isInvolved, readAccess } from '../submissions/submission-access.service.ts'
import type { SubmissionRow } from '../submissions/submission-row.ts'
import { findSubmissionByFile } from '../submissions/submissions.queries.ts'
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

export const maxVideoBytes = 1_073_741_824

export const pitchVideoPurpose: FilePurpose = {
  name: 'pitch_video',
  accepts: ['video', 'audio'],
  maxBytes: maxVideoBytes,
  filename: 'pitch',
  hasPreviews: true,
  isAudited: false,
  mayRead: mayReadVideo,
  async onQuarantined(tx, file) {
    const submission = await findSubmissionByFile(tx, file.id)
    if (submission) await notifyInfectedVideo(tx, submission)
  },
}

/** A ticket ends with the sessions that existed when it was issued. */
async function mayReadVideo(tx: TenantTx, file: FileRow, { userId, ticketIssuedAt }: FileReader): Promise<boolean> {
  const source = (await findFileByThumbnail(tx, file.id)) ?? file
  const submission = await findSubmissionByFile(tx, source.id)
  const user = submission && userId ? await findFileReader(tx, userId, ticketIssuedAt) : undefined
  if (!submission || !userId || !user || (ticketIssuedAt && !user.hasSession)) return false
  const access = await readAccess(tx, { ...actorOf(tx), userId, role: user.role }, submission)
  return submission.is_exemplar || isInvolved(access)
}
