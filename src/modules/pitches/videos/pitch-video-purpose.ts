import { findFileReader } from '#modules/identity'
import { actorOf, type TenantTx } from '#platform/db'
import { type FilePurpose, type FileReader, type FileRow, findFileByThumbnail } from '#platform/files'
import { isInvolved, readAccess } from '../submissions/submission-access.service.ts'
import { findSubmissionByFile } from '../submissions/submissions.queries.ts'
import { notifyInfectedVideo } from './video-notifications.ts'

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
