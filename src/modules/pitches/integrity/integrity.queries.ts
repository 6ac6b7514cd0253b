import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const hasNoRecording = sql`submission.deleted_at is null and submission.status <> 'draft' and submission.video_deleted_at is null
  and (exists (select from platform.files file where file.id = submission.file_id and file.missing_at is not null)
    or (submission.file_id is null and submission.transcript is null))`

/** Submitted pitches whose file is lost. Retention and deletion are not losses. */
export async function findPitchesWithoutFile(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select submission.id from enablement.pitch_submissions submission where ${hasNoRecording}
    order by submission.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Locks in id order to avoid deadlocks, then checks again. Returns the lost files. */
export async function lockPitchesWithoutFile(
  tx: TenantTx,
  ids: readonly string[],
): Promise<{ id: string; file_id: string | null }[]> {
  await sql`
    select id from enablement.pitch_submissions where id = any (${ids}::uuid[]) order by id for no key update
  `.execute(tx)
  const { rows } = await sql<{ id: string; file_id: string | null }>`
    select submission.id, submission.file_id from enablement.pitch_submissions submission
    where submission.id = any (${ids}::uuid[]) and ${hasNoRecording}
  `.execute(tx)
  return rows
}

export async function markPitchVideosLost(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  const changed = await tx
    .updateTable('enablement.pitch_submissions')
    .set({ file_id: null, video_deleted_at: now })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('id')
    .execute()
  return changed.length
}
