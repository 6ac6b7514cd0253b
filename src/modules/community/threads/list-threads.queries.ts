import { type Expression, type SqlBool, sql } from 'kysely'
import { type Page, type PagePlan, readPage, type TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import {
  isHiddenButVisibleTo,
  isShownTo,
  isVisible,
  type PostViewer,
  type ShownPosts,
} from '../posts/visibility.queries.ts'
import { followedThreadIds } from '../readers/thread-readers.queries.ts'
import { summaryColumns, type ThreadSummaryRow } from './threads.queries.ts'

type Condition = Expression<SqlBool>

export type ThreadFilter = {
  room_id?: string
  kind?: readonly string[]
  author_id?: string
  unanswered?: boolean
  mentionedUserId?: string
  followerId?: string
}

/** `unreadableRoomIds` are the deleted rooms and the drafts of others; they matter only across rooms. */
export type ThreadListAccess = { viewer: PostViewer; shown: ShownPosts; unreadableRoomIds: readonly string[] }

const table = 'community.threads'
const byActivity = { by: { last_activity_at: 'timestamp' }, isDescending: true } as const
const pinnedFirst = { by: { is_pinned: 'boolean', last_activity_at: 'timestamp' }, isDescending: true } as const
const byCreation = { by: { created_at: 'timestamp' }, isDescending: true } as const

/** Pinned threads come first within a room. */
export function listThreadRows(
  tx: TenantTx,
  filter: ThreadFilter,
  { viewer, shown, unreadableRoomIds }: ThreadListAccess,
  query: PageQuery,
): Promise<Page<ThreadSummaryRow>> {
  const conditions = filterConditions(filter, unreadableRoomIds)
  const hasConcealed = shown.includesHidden || shown.includesDeleted
  const visibilities = [isVisible(table), ...(hasConcealed ? [isHiddenButVisibleTo(table, viewer, shown)] : [])]
  const kinds = kindConditions(filter)
  const plan: PagePlan = {
    table,
    columns: summaryColumns,
    order: filter.room_id ? pinnedFirst : byActivity,
    scans: visibilities.flatMap((visibility) =>
      (kinds.length ? kinds : [undefined]).map((kind) => ({
        conditions: [visibility, ...(kind ? [kind] : []), ...conditions],
      })),
    ),
    ...(filter.author_id && {
      filterFirst: {
        scans: [{ conditions: [isShownTo(table, viewer, shown), ...anyOf(kinds), ...conditions] }],
        order: byCreation,
      },
    }),
    filters: { ...filter, ...shown },
  }
  return readPage<ThreadSummaryRow>(tx, plan, query)
}

/** One condition per kind, because each is a range of an index. */
const kindConditions = ({ kind }: ThreadFilter): Condition[] =>
  [...new Set(kind ?? [])].map((value): Condition => sql`community.threads.kind = ${value}`)

const anyOf = (conditions: readonly Condition[]): Condition[] =>
  conditions.length ? [sql`(${sql.join(conditions, sql` or `)})`] : []

export function filterConditions(filter: ThreadFilter, unreadableRoomIds: readonly string[]): Condition[] {
  const { room_id, author_id, unanswered, mentionedUserId, followerId } = filter
  const conditions: Condition[] = []
  if (room_id) conditions.push(sql`community.threads.room_id = ${room_id}::uuid`)
  else if (unreadableRoomIds.length)
    conditions.push(sql`not (community.threads.room_id = any (${unreadableRoomIds}::uuid[]))`)
  if (author_id) conditions.push(sql`community.threads.author_id = ${author_id}::uuid`)
  if (unanswered !== undefined) {
    const answer = sql`community.threads.accepted_reply_id`
    conditions.push(
      sql`community.threads.kind = 'question' and ${unanswered ? sql`${answer} is null` : sql`${answer} is not null`}`,
    )
  }
  if (mentionedUserId) conditions.push(sql`community.threads.id = any (${mentioningThreadIds(mentionedUserId)})`)
  if (followerId) conditions.push(sql`community.threads.id = any (${followedThreadIds(followerId)})`)
  return conditions
}

/** Mentions in hidden and deleted replies do not count. */
export const mentioningThreadIds = (userId: string) => sql<string[]>`array(
  select thread_id from community.mentions
  where user_id = ${userId}::uuid and (post_kind = 'thread' or exists (
    select from community.replies where community.replies.id = community.mentions.post_id
    and ${isVisible('community.replies')})))::uuid[]`
