import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { isVisible } from '../posts/visibility.queries.ts'

export const batchSize = 500

/** In id order, because replies change `updated_at` while the pages are read. */
export async function listChangedThreadIds(tx: TenantTx, since: Date, afterId: string): Promise<string[]> {
  const threads = await tx
    .selectFrom('community.threads')
    .select('id')
    .where('updated_at', '>=', since)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(sql.lit(batchSize))
    .execute()
  return threads.map(({ id }) => id)
}

/** The counters of a thread, from its visible replies. The accepted answer must be one of them. */
const actualCounters = sql`
  cross join lateral (select count(*)::integer as replies from community.replies
    where thread_id = thread.id and ${isVisible('community.replies')}) as counted
  left join lateral (select id, created_at from community.replies
    where thread_id = thread.id and ${isVisible('community.replies')} order by reply_no desc limit 1) as last on true
  left join community.replies as accepted on accepted.id = thread.accepted_reply_id and accepted.thread_id = thread.id
    and accepted.hidden_at is null and accepted.deleted_at is null`

const hasDrift = sql`(thread.reply_count, thread.last_reply_id, thread.last_reply_at, thread.last_activity_at, thread.accepted_reply_id)
  is distinct from (counted.replies, last.id, last.created_at, coalesce(last.created_at, thread.created_at), accepted.id)`

export async function findThreadsWithDrift(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select thread.id from community.threads as thread ${actualCounters} where ${hasDrift} limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export type CounterDrift = { id: string; reply_count: number; counted: number }

/** Takes no locks, so a thread may change; `correctCounters` compares again. */
export async function listDrift(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select thread.id from community.threads as thread ${actualCounters}
    where thread.id = any (${ids}::uuid[]) and ${hasDrift}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function lockThreadRows(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`select id from community.threads where id = any (${ids}::uuid[]) order by id for update`.execute(tx)
}

/** Returns the threads whose counters or answers are wrong. The caller has locked the threads. */
export async function correctCounters(tx: TenantTx, ids: readonly string[]): Promise<CounterDrift[]> {
  const { rows } = await sql<CounterDrift>`
    with drift as (
      select thread.id, thread.reply_count, counted.replies, last.id as last_id, last.created_at as last_at,
        coalesce(last.created_at, thread.created_at) as active_at
      from community.threads as thread ${actualCounters}
      where thread.id = any (${ids}::uuid[]) and ${hasDrift}
    )
    update community.threads as thread
    set reply_count = drift.replies, last_reply_id = drift.last_id, last_reply_at = drift.last_at,
      last_activity_at = drift.active_at
    from drift where thread.id = drift.id
    returning thread.id, drift.reply_count, drift.replies as counted
  `.execute(tx)
  return rows
}

/** A statement of its own, because it counts a version. */
export async function clearInvisibleAnswers(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`
    update community.threads as thread set accepted_reply_id = null
    where thread.id = any (${ids}::uuid[]) and thread.accepted_reply_id is not null and not exists (
      select from community.replies where community.replies.id = thread.accepted_reply_id
        and community.replies.thread_id = thread.id and ${isVisible('community.replies')})
  `.execute(tx)
}
