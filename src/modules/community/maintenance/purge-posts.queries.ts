import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

const batchSize = 200

/** Locks threads that were deleted before the instant and are not purged. */
export async function lockPurgeableThreads(tx: TenantTx, before: Date): Promise<string[]> {
  const threads = await tx
    .selectFrom('community.threads')
    .select('id')
    .where('deleted_at', '<', before)
    .where('purged_at', 'is', null)
    .orderBy('id')
    .limit(sql.lit(batchSize))
    .forUpdate()
    .execute()
  return threads.map(({ id }) => id)
}

/** Replies that were deleted, and up to a batch of them. Their threads are locked first. */
export async function listPurgeableReplies(tx: TenantTx, before: Date) {
  return await tx
    .selectFrom('community.replies')
    .select(['id', 'thread_id'])
    .where('deleted_at', '<', before)
    .where('purged_at', 'is', null)
    .orderBy('id')
    .limit(sql.lit(batchSize))
    .execute()
}

export async function blankThreads(tx: TenantTx, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    update community.threads set title = '', body = '', body_html = '', body_text = '', excerpt = '', body_hash = null,
      hidden_reason = null, purged_at = ${now}
    where id = any (${ids}::uuid[])
  `.execute(tx)
}

export async function blankReplies(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update community.replies set body = '', body_html = '', body_text = '', hidden_reason = null,
      deleted_at = coalesce(deleted_at, ${now}), purged_at = ${now}
    where id = any (${ids}::uuid[]) and purged_at is null
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function listReplyIdsOfThreads(tx: TenantTx, threadIds: readonly string[]): Promise<string[]> {
  const replies = await tx
    .selectFrom('community.replies')
    .select('id')
    .where('thread_id', '=', sql<string>`any(${threadIds}::uuid[])`)
    .where('purged_at', 'is', null)
    .execute()
  return replies.map(({ id }) => id)
}

/** Threads are locked, so the order of the rows does not matter. */
export async function deleteTracesOfPosts(tx: TenantTx, postIds: readonly string[]): Promise<void> {
  await sql`delete from community.mentions where post_id = any (${postIds}::uuid[])`.execute(tx)
  await sql`delete from community.post_words where post_id = any (${postIds}::uuid[])`.execute(tx)
}

export async function deleteReportsOfThreads(tx: TenantTx, threadIds: readonly string[]): Promise<void> {
  await sql`delete from community.reports where thread_id = any (${threadIds}::uuid[])`.execute(tx)
}

export async function deleteReportsOfReplies(tx: TenantTx, replyIds: readonly string[]): Promise<void> {
  await sql`delete from community.reports where reply_id = any (${replyIds}::uuid[])`.execute(tx)
}

const listTenantsWithPosts = (system: SystemTx, condition: RawBuilder<SqlBool>): Promise<string[]> =>
  listTenantsAsRetention(
    system,
    (tx) => listTenantsWithRows(tx, 'community.threads', condition),
    (tx) => listTenantsWithRows(tx, 'community.replies', condition),
  )

export const listTenantsWithDeletedPosts = (tx: SystemTx, before: Date): Promise<string[]> =>
  listTenantsWithPosts(tx, sql`deleted_at < ${before} and purged_at is null`)

export const listTenantsWithOldHtml = (tx: SystemTx, version: number): Promise<string[]> =>
  listTenantsWithPosts(tx, sql`renderer_version < ${version} and purged_at is null`)

export const listTenantsWithChangedThreads = (system: SystemTx, since: Date): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'community.threads', sql`updated_at >= ${since}`))
