import { recordPracticeAudit } from '#modules/coaching'
import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { pitchVideoDeleted } from '../pitches.events.ts'
import { deleteRecordings } from '../submissions/delete-recordings.service.ts'
import { isPrivate, toAuditedRecord } from '../submissions/submissions.rules.ts'
import { lockSubmissionsWithVideo, markVideosDeleted } from './retention.queries.ts'

/** Deletes the recordings of submissions. Transcripts, scores and comments stay. */
export async function deleteVideos(tx: TenantTx, { clock }: { clock: Clock }, ids: readonly string[]): Promise<number> {
  const submissions = await lockSubmissionsWithVideo(tx, ids)
  await deleteRecordings(tx, { clock }, submissions)
  const changed = await markVideosDeleted(
    tx,
    submissions.map(({ id }) => id),
    clock.now(),
  )
  await recordPracticeAudit(tx, 'pitch_submission.video_deleted', ...changed.map(toAuditedRecord))
  const shared = changed.filter((submission) => !isPrivate(submission))
  await emitMany(
    tx,
    pitchVideoDeleted,
    shared.map((subject) => ({ subject, data: { user_id: subject.user_id, prompt_id: subject.prompt_id } })),
  )
  return changed.length
}
