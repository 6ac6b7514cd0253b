import { sql } from 'kysely'
import { containsAnyText, type TenantTx } from '#platform/db'

export type RequestTexts = {
  id: string
  subject: string
  body: string
  answer: string | null
  rating_comment: string | null
}

type Related = { account_ids: readonly string[]; opportunity_ids: readonly string[] }

const isRelated = ({ account_ids, opportunity_ids }: Related) =>
  sql`(account_id = any (${account_ids}::uuid[]) or opportunity_id = any (${opportunity_ids}::uuid[]))`

/** Locks in id order to avoid deadlocks. */
export async function lockRequestsWithMentions(
  tx: TenantTx,
  related: Related,
  { mentions, limit }: { mentions: readonly string[]; limit: number },
): Promise<RequestTexts[]> {
  const { rows } = await sql<RequestTexts>`
    select id, subject, body, answer, rating_comment from enablement.expert_requests
    where ${isRelated(related)} and ${containsAnyText(sql`concat_ws(' ', subject, body, answer, rating_comment)`, mentions)}
    order by id limit ${limit} for no key update
  `.execute(tx)
  return rows
}

export async function updateRequestTexts(tx: TenantTx, { id, ...texts }: RequestTexts): Promise<void> {
  await tx.updateTable('enablement.expert_requests').set(texts).where('id', '=', id).execute()
}

export async function listNotesWithMentions(
  tx: TenantTx,
  related: Related,
  { mentions, limit }: { mentions: readonly string[]; limit: number },
): Promise<{ id: string; note: string }[]> {
  const { rows } = await sql<{ id: string; note: string }>`
    select id, note from enablement.expert_request_events
    where request_id = any (array(select id from enablement.expert_requests where ${isRelated(related)}))
      and ${containsAnyText(sql`note`, mentions)}
    order by id limit ${limit}
  `.execute(tx)
  return rows
}

export async function updateNote(tx: TenantTx, id: string, note: string | null): Promise<void> {
  await tx.updateTable('enablement.expert_request_events').set({ note }).where('id', '=', id).execute()
}

export async function clearNotesOfUser(tx: TenantTx, userId: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('enablement.expert_request_events')
    .set({ note: null })
    .where('actor_id', '=', userId)
    .where('note', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export async function listRequestsOfUser(
  tx: TenantTx,
  userId: string,
  limit: number,
): Promise<{ id: string; expert_id: string | null }[]> {
  return await tx
    .selectFrom('enablement.expert_requests')
    .select(['id', 'expert_id'])
    .where('requester_id', '=', userId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Locks in id order to avoid deadlocks. */
export async function deleteRequests(tx: TenantTx, ids: readonly string[]): Promise<number> {
  await sql`
    select id from enablement.expert_requests where id = any (${ids}::uuid[]) order by id for update
  `.execute(tx)
  const { numDeletedRows } = await tx
    .deleteFrom('enablement.expert_requests')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
