import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type SamplePitchIds = { prompts: readonly string[]; submissions: readonly string[] }

/** Assignments, reviews and comments are deleted with them. Submissions of users stay without their prompt. Returns the files of the submissions. */
export async function deleteSamplePitches(tx: TenantTx, { prompts, submissions }: SamplePitchIds): Promise<string[]> {
  await sql`select id from enablement.pitch_prompts where id = any (${prompts}::uuid[]) order by id for update`.execute(
    tx,
  )
  await sql`select id from enablement.pitch_submissions where id = any (${submissions}::uuid[]) order by id for update`.execute(
    tx,
  )
  const { rows } = await sql<{ id: string; file_id: string | null }>`
    delete from enablement.pitch_submissions where id = any (${submissions}::uuid[]) returning id, file_id
  `.execute(tx)
  await sql`delete from enablement.pitch_prompts where id = any (${prompts}::uuid[]) returning id`.execute(tx)
  return rows.flatMap(({ file_id }) => file_id ?? [])
}
