import { recordAuditEntries } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { deleteFilesNow } from '#platform/files'
import { emitMany } from '#platform/outbox'
import { pitchVideoDeleted } from '../enablement.events.ts'
import { isPrivate, titleOf } from '../pitch-submissions/submissions.rules.ts'
import { lockSubmissionsWithVideo, markVideosDeleted } from './retention.queries.ts'

/** Deletes the recordings of submissions. Transcripts, scores and comments stay. */
export async function deleteVideos(tx: TenantTx, { clock }: { clock: Clock }, ids: readonly string[]): Promise<number> {
  const submissions = await lockSubmissionsWithVideo(tx, ids)
  await deleteFilesNow(
    tx,
    { clock },
    submissions.flatMap(({ file_id }) => file_id ?? []),
  )
  const changed = await markVideosDeleted(
    tx,
    submissions.map(({ id }) => id),
    clock.now(),
  )
  await recordAuditEntries(
    tx,
    'pitch_submission.video_deleted',
    changed.map((submission) => ({
      id: submission.id,
      label: isPrivate(submission) ? null : titleOf(submission),
    })),
  )
  const shared = changed.filter((submission) => !isPrivate(submission))
  await emitMany(
    tx,
    pitchVideoDeleted,
    shared.map((subject) => ({ subject, data: { user_id: subject.user_id, prompt_id: subject.prompt_id } })),
  )
  return changed.length
}
