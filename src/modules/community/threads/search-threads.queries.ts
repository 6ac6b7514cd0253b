import { type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import { decodeCursor, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id, type PageQuery } from '#platform/schema'
import { isShownTo } from '../posts/visibility.queries.ts'
import { followedThreadIds } from '../readers/thread-readers.queries.ts'
import {
  filterConditions,
  mentioningThreadIds,
  type ThreadFilter,
  type ThreadListAccess,
} from './list-threads.queries.ts'
import { summaryColumns, type ThreadSummaryRow } from './threads.queries.ts'

/** Matches beyond this number that pass the filters are not ranked. */
const maxMatches = 10_000

type PostMatch = { thread_id: string; post_id: string; reply_no: number | null; rank: number }

export type FoundThreadRow = ThreadSummaryRow & { matched_reply_no?: number | null }

type RankedRow = ThreadSummaryRow & { matched_reply_no: number | null; rank: number }

const foundColumns = [...summaryColumns, 'rank', 'matched_reply_no'] as const

/** Threads whose text, or the text of a reply, matches; best matches first. A match in a reply that the viewer cannot see does not count. */
export async function searchThreadRows(
  tx: TenantTx,
  search: string,
  filter: ThreadFilter,
  { viewer, shown, unreadableRoomIds }: ThreadListAccess,
  page: PageQuery,
): Promise<Page<FoundThreadRow>> {
  const matches = await searchPosts(tx, search, filter, { shown, unreadableRoomIds })
  const conditions = filterConditions(filter, unreadableRoomIds)
  if (filter.kind) conditions.push(sql`community.threads.kind = any (${[...filter.kind]}::text[])`)
  const columns = sql.join(summaryColumns.map((column) => sql.ref(`community.threads.${column}`)))
  const best = sql<RankedRow>`(
    select distinct on (community.threads.id) ${columns}, found.rank, found.reply_no as matched_reply_no
    from ${matchTable(matches)}
    join community.threads on community.threads.id = found.thread_id
    left join community.replies on community.replies.id = found.post_id
    where ${isShownTo('community.threads', viewer, shown)}
      and (found.reply_no is null or ${isShownTo('community.replies', viewer, shown)})
      and ${sql.join(conditions.length ? conditions : [sql`true`], sql` and `)}
    order by community.threads.id, found.rank desc, found.reply_no nulls first)`
  const threads = tx.selectFrom(best.as('best'))
  let rows = threads
    .select(foundColumns)
    .orderBy('best.rank', 'desc')
    .orderBy('best.id', 'desc')
    .limit(page.limit + 1)
  if (page.cursor) {
    const [rank, id] = decodeCursor(page.cursor, Type.Tuple([Type.Number(), Id])) as [number, string]
    rows = rows.where(sql<SqlBool>`(best.rank, best.id) < (${rank}::real, ${id}::uuid)`)
  } else rows = rows.offset(page.offset)
  const [total, found] = await Promise.all([totalOf(tx, threads, page), rows.execute()])
  return toPage(found as RankedRow[], total, page, ({ rank, id }) => [rank, id])
}

async function searchPosts(
  tx: TenantTx,
  search: string,
  { room_id, kind, author_id, unanswered, mentionedUserId, followerId }: ThreadFilter,
  { shown, unreadableRoomIds }: Omit<ThreadListAccess, 'viewer'>,
): Promise<PostMatch[]> {
  const amongThreads = mentionedUserId
    ? mentioningThreadIds(mentionedUserId)
    : followerId
      ? followedThreadIds(followerId)
      : sql`null::uuid[]`
  const matches = sql<PostMatch>`community.search_threads(${search}, ${room_id ?? null}::uuid,
    ${room_id ? [] : unreadableRoomIds}::uuid[], ${kind ? [...kind] : null}::text[], ${author_id ?? null}::uuid,
    ${unanswered ?? null}::boolean, ${amongThreads}, ${shown.includesHidden}::boolean, ${shown.includesDeleted}::boolean,
    ${sql.lit(maxMatches)})`
  return await tx
    .selectFrom(matches.as('found'))
    .select(['found.thread_id', 'found.post_id', 'found.reply_no', 'found.rank'])
    .execute()
}

const matchTable = (matches: readonly PostMatch[]) => sql`(select
    unnest(${matches.map(({ thread_id }) => thread_id)}::uuid[]) as thread_id,
    unnest(${matches.map(({ post_id }) => post_id)}::uuid[]) as post_id,
    unnest(${matches.map(({ reply_no }) => reply_no)}::integer[]) as reply_no,
    unnest(${matches.map(({ rank }) => rank)}::real[]) as rank) as found`
