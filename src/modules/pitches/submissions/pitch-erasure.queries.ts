import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type OwnSubmission = { id: string; file_id: string | null }

export const lockSubmissionsOfUser = (tx: TenantTx, userId: string, limit: number): Promise<OwnSubmission[]> =>
  tx
    .selectFrom('enablement.pitch_submissions')
    .select(['id', 'file_id'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()

export async function deleteSubmissions(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('enablement.pitch_submissions')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('id')
    .execute()
}

export async function listExemplarIdsOfUser(tx: TenantTx, userId: string): Promise<string[]> {
  const exemplars = await tx
    .selectFrom('enablement.pitch_submissions')
    .select('id')
    .where('user_id', '=', userId)
    .where('is_exemplar', '=', true)
    .execute()
  return exemplars.map(({ id }) => id)
}

/** Removes a user from prompts that list the user or show a pitch of the user. Locks them in id order, before the pitches. */
export async function removeUserFromPrompts(
  tx: TenantTx,
  userId: string,
  exemplarIds: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.pitch_prompts
    where (reviewer_ids <> '{}' and ${userId}::uuid = any (reviewer_ids)) or exemplar_submission_id = any (${exemplarIds}::uuid[])
    order by id for update
  `.execute(tx)
  await sql`
    update enablement.pitch_prompts set reviewer_ids = array_remove(reviewer_ids, ${userId}::uuid),
      exemplar_submission_id = case when exemplar_submission_id = any (${exemplarIds}::uuid[]) then null
        else exemplar_submission_id end
    where id = any (${rows.map(({ id }) => id)}::uuid[]) returning id
  `.execute(tx)
  return rows.length
}

/** Locks in id order to avoid deadlocks. */
export async function deleteAssignmentsOfUser(tx: TenantTx, userId: string): Promise<number> {
  const locked = await tx
    .selectFrom('enablement.pitch_assignments')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute()
  await tx
    .deleteFrom('enablement.pitch_assignments')
    .where('id', '=', sql<string>`any(${locked.map(({ id }) => id)}::uuid[])`)
    .returning('id')
    .execute()
  return locked.length
}

/** Scores of reviews stay, because the results of other users follow from them. Locks in id order to avoid deadlocks. */
export async function eraseReviewsOfUser(tx: TenantTx, userId: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update enablement.pitch_reviews set reviewer_id = null, comment = null, scores = (
      select jsonb_agg(score || '{"comment": null}' order by position)
      from jsonb_array_elements(scores) with ordinality as given (score, position))
    where id = any (array(
      select id from enablement.pitch_reviews where reviewer_id = ${userId}::uuid order by id for update))
    returning id
  `.execute(tx)
  return rows.length
}

/** The comment stays without its text, because other users may have replied to it. */
export async function eraseCommentsOfUser(tx: TenantTx, userId: string, text: string): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update enablement.pitch_comments set author_id = null, body = ${text}
    where id = any (array(
      select id from enablement.pitch_comments where author_id = ${userId}::uuid order by id for update))
    returning id
  `.execute(tx)
  return rows.length
}
