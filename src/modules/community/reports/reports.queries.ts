import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { Type } from 'typebox'
import {
  type Database,
  decodeCursor,
  directionOf,
  orderingOf,
  type Page,
  planForValues,
  type TenantTx,
  toPage,
  totalOf,
} from '#platform/db'
import { notFound } from '#platform/errors'
import { Id, type SortedPageQuery } from '#platform/schema'
import { isAbout, type ReportedPost } from '../moderation/resolve-reports.queries.ts'

type Reports = Database['community.reports']

const reportColumns = [
  'id',
  'thread_id',
  'reply_id',
  'reporter_id',
  'reason',
  'note',
  'resolved_at',
  'resolution',
  'created_at',
  'version',
] as const
export type ReportRow = Pick<Selectable<Reports>, (typeof reportColumns)[number]>

/** Returns nothing if the user has reported the post before. */
export function insertReport(tx: TenantTx, report: Insertable<Reports>): Promise<ReportRow | undefined> {
  return tx
    .insertInto('community.reports')
    .values(report)
    .onConflict((existing) => existing.constraint('reports_once').doNothing())
    .returning(reportColumns)
    .executeTakeFirst()
}

export function getReportOfReporter(tx: TenantTx, post: ReportedPost, reporterId: string): Promise<ReportRow> {
  return tx
    .selectFrom('community.reports')
    .select(reportColumns)
    .where(isAbout(post))
    .where('reporter_id', '=', reporterId)
    .executeTakeFirstOrThrow()
}

export function getReport(tx: TenantTx, id: string): Promise<ReportRow> {
  return tx
    .selectFrom('community.reports')
    .select(reportColumns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('report'))
}

/** A user reports a post at most once, so this is also the number of reporters. */
export async function countOpenReports(tx: TenantTx, post: ReportedPost): Promise<number> {
  const { open } = await tx
    .selectFrom('community.reports')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where(isAbout(post))
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow()
  return open
}

export type PresentedReportRow = ReportRow & {
  room_id: string
  title: string
  excerpt_text: string
  author_id: string
  is_hidden: boolean
  is_deleted: boolean
}

const withPosts = (tx: TenantTx) =>
  tx
    .selectFrom('community.reports as report')
    .innerJoin('community.threads as thread', 'thread.id', 'report.thread_id')
    .leftJoin('community.replies as reply', 'reply.id', 'report.reply_id')

const selectPresented = (reports: ReturnType<typeof withPosts>) =>
  reports
    .select(reportColumns.map((column) => `report.${column}` as const))
    .select([
      'thread.room_id',
      'thread.title',
      sql<string>`coalesce(left(reply.body_text, 600), thread.excerpt)`.as('excerpt_text'),
      sql<string>`coalesce(reply.author_id, thread.author_id)`.as('author_id'),
      sql<boolean>`case when report.reply_id is null then thread.hidden_at else reply.hidden_at end is not null`.as(
        'is_hidden',
      ),
      sql<boolean>`(thread.deleted_at is not null or reply.deleted_at is not null)`.as('is_deleted'),
    ])

export const listReportsByIds = (tx: TenantTx, ids: readonly string[]): Promise<PresentedReportRow[]> =>
  selectPresented(withPosts(tx)).where('report.id', '=', sql<string>`any(${ids}::uuid[])`).execute()

const SortKey = Type.Tuple([Type.String({ pattern: '^\\d{1,18}$' }), Id])

export async function listOpenReports(
  tx: TenantTx,
  roomIds: readonly string[],
  query: SortedPageQuery,
): Promise<Page<PresentedReportRow>> {
  const order = directionOf(query.sort, '-created_at')
  // IS TRUE hides the index on rooms from the planner, which would read all threads of the rooms and look for their reports.
  const open = withPosts(tx)
    .where('report.resolved_at', 'is', null)
    .where(sql<SqlBool>`(thread.room_id = any (${roomIds}::uuid[])) is true`)
  let rows = selectPresented(open)
    .select(sql<string>`(extract(epoch from report.created_at) * 1000000)::bigint::text`.as('sort_key'))
    .orderBy('report.created_at', order.direction)
    .orderBy('report.id', order.direction)
    .limit(query.limit < 51 ? sql.lit(51) : sql.lit(201))
  if (query.cursor) {
    const [micros, id] = decodeCursor(query.cursor, SortKey, order) as [string, string]
    rows = rows.where(
      sql<SqlBool>`(report.created_at, report.id) ${orderingOf(order).after} (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::uuid)`,
    )
  } else rows = rows.offset(query.offset)
  await planForValues(tx)
  const [total, found] = await Promise.all([totalOf(tx, open, query), rows.execute()])
  return toPage(found, total, query, ({ sort_key, id }) => [sort_key, id], order)
}
