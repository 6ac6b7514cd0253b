import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type SampleIds = { collections: readonly string[]; items: readonly string[] }

/** Views, statistics and search texts are deleted with their items. Locks in id order to avoid deadlocks. Returns the files of the items. */
export async function deleteSampleRows(tx: TenantTx, { collections, items }: SampleIds): Promise<string[]> {
  await sql`select id from enablement.content_items where id = any (${items}::uuid[]) order by id for update`.execute(
    tx,
  )
  await sql`select id from enablement.collections where id = any (${collections}::uuid[]) order by id for update`.execute(
    tx,
  )
  const { rows } = await sql<{ file_id: string }>`
    select distinct file_id from enablement.content_versions where item_id = any (${items}::uuid[]) and file_id is not null
  `.execute(tx)
  await sql`delete from enablement.collections where id = any (${collections}::uuid[]) returning id`.execute(tx)
  await sql`delete from enablement.content_items where id = any (${items}::uuid[]) returning id`.execute(tx)
  return rows.map(({ file_id }) => file_id)
}

export async function lockSampleRooms(tx: TenantTx, roomIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.rooms where id = any (${roomIds}::uuid[]) order by id for update
  `.execute(tx)
  return rows.map(({ id }) => id)
}

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

type SampleExpertIds = { experts: readonly string[]; requests: readonly string[] }

/** Locks in id order to avoid deadlocks. Requests of users stay without their expert. */
export async function deleteSampleExperts(tx: TenantTx, { experts, requests }: SampleExpertIds): Promise<void> {
  await sql`select id from enablement.experts where id = any (${experts}::uuid[]) order by id for update`.execute(tx)
  await sql`select id from enablement.expert_requests where id = any (${requests}::uuid[]) order by id for update`.execute(
    tx,
  )
  await sql`delete from enablement.expert_requests where id = any (${requests}::uuid[]) returning id`.execute(tx)
  await sql`delete from enablement.experts where id = any (${experts}::uuid[]) returning id`.execute(tx)
}

export async function deleteSampleMisses(tx: TenantTx, queries: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('enablement.content_search_misses')
    .where('query_norm', '=', sql<string>`any(${queries}::text[])`)
    .execute()
}

/** Modules and enrollments are deleted with their paths. Locks in id order to avoid deadlocks. */
export async function deleteSampleLearning(tx: TenantTx, paths: readonly string[]): Promise<void> {
  await sql`select id from enablement.learning_paths where id = any (${paths}::uuid[]) order by id for update`.execute(
    tx,
  )
  await sql`
    select id from enablement.learning_enrollments where path_id = any (${paths}::uuid[]) order by id for update
  `.execute(tx)
  await sql`
    select id from enablement.certificates where path_id = any (${paths}::uuid[]) order by id for update
  `.execute(tx)
  await sql`delete from enablement.certificates where path_id = any (${paths}::uuid[]) returning id`.execute(tx)
  await sql`delete from enablement.learning_paths where id = any (${paths}::uuid[]) returning id`.execute(tx)
}
