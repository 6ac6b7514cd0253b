import { sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'
import { type SubmissionRow, submissionColumns } from '../submissions/submission-row.ts'

/** Workspaces with videos that are old enough for the shortest retention. */
export const listTenantsWithOldVideos = (system: SystemTx, before: Date): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) =>
    listTenantsWithRows(
      tx,
      'enablement.pitch_submissions',
      sql`file_id is not null and not is_exemplar and submitted_at < ${before}`,
    ),
  )

type Retention = { now: Date; videoDays: number; practiceDays: number }

/** Videos whose retention has ended: that of practice, of their prompt, or of the workspace. Exemplars are kept. */
export async function listExpiredVideoIds(
  tx: TenantTx,
  { now, videoDays, practiceDays }: Retention,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select submission.id from enablement.pitch_submissions submission
    left join enablement.pitch_prompts prompt on prompt.id = submission.prompt_id
    where submission.file_id is not null and not submission.is_exemplar
      and submission.submitted_at < ${now}::timestamptz - make_interval(days =>
        case when submission.is_practice then ${practiceDays}::int else coalesce(prompt.retention_days, ${videoDays}::int) end)
    order by submission.submitted_at, submission.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Locks in id order to avoid deadlocks. Skips those that became exemplars or were deleted. */
export const lockSubmissionsWithVideo = (tx: TenantTx, ids: readonly string[]): Promise<SubmissionRow[]> =>
  tx
    .selectFrom('enablement.pitch_submissions')
    .select(submissionColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('file_id', 'is not', null)
    .where('is_exemplar', '=', false)
    .orderBy('id')
    .forUpdate()
    .$castTo<SubmissionRow>()
    .execute()

export const markVideosDeleted = (tx: TenantTx, ids: readonly string[], now: Date): Promise<SubmissionRow[]> =>
  tx
    .updateTable('enablement.pitch_submissions')
    .set({ file_id: null, video_deleted_at: now })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(submissionColumns)
    .$castTo<SubmissionRow>()
    .execute()
