import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { PostTable } from '../posts/visibility.queries.ts'

const batchSize = 100

type OldPost = { id: string; body: string }

/** Returns the threads that have posts with HTML of an older renderer. */
export async function listThreadsWithOldHtml(tx: TenantTx, version: number): Promise<string[]> {
  const old = (table: PostTable, thread: string) => sql`(
    select ${sql.ref(thread)} as id from ${sql.table(table)} where renderer_version < ${version} and purged_at is null
    limit ${sql.lit(batchSize)})`
  const { rows } = await sql<{ id: string }>`
    select distinct id from (${old('community.threads', 'id')} union all ${old('community.replies', 'thread_id')}) as old
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Posts of these threads with HTML of an older renderer, up to a batch. The caller has locked the threads. */
export async function listOldPosts(
  tx: TenantTx,
  table: PostTable,
  threadIds: readonly string[],
  version: number,
): Promise<OldPost[]> {
  const thread = sql.ref(table === 'community.threads' ? 'id' : 'thread_id')
  const { rows } = await sql<OldPost>`
    select id, body from ${sql.table(table)}
    where ${thread} = any (${threadIds}::uuid[]) and renderer_version < ${version} and purged_at is null
    limit ${sql.lit(batchSize)}
  `.execute(tx)
  return rows
}

type RenderedPost = { id: string; html: string }

export async function updateRenderedHtml(
  tx: TenantTx,
  table: PostTable,
  posts: readonly RenderedPost[],
  version: number,
): Promise<void> {
  const [ids, texts] = [posts.map(({ id }) => id), posts.map(({ html }) => html)]
  await sql`
    update ${sql.table(table)} as post set body_html = rendered.html, renderer_version = ${version}
    from unnest(${ids}::uuid[], ${texts}::text[]) as rendered (id, html) where post.id = rendered.id
  `.execute(tx)
}
