import { type ExpressionBuilder, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import {
  acquireAdvisoryLock,
  type Database,
  decodeCursor,
  directionOf,
  type ListDirection,
  type Page,
  planForValues,
  type TenantTx,
  toLikePatterns,
  toPage,
  totalOf,
} from '#platform/db'
import { notFound } from '#platform/errors'
import type { RuleProblem } from '#platform/module'
import type { RuleInput } from '#platform/rules'
import { Id } from '#platform/schema'
import type { SegmentQuery, SegmentType } from './segments.schemas.ts'

type Segments = Database['marketing.segments']

const segmentColumns = [
  'id',
  'object_type',
  'name',
  'description',
  'kind',
  'rules',
  'state',
  'problems',
  'owner_id',
  'created_by',
  'created_at',
  'updated_at',
  'version',
] as const
const SortKey = Type.Tuple([Type.String(), Id])

type JsonColumns = {
  object_type: SegmentType
  kind: 'dynamic' | 'static'
  rules: RuleInput | null
  state: 'ok' | 'invalid'
  problems: RuleProblem[]
}
export type SegmentRow = Omit<Pick<Selectable<Segments>, (typeof segmentColumns)[number]>, keyof JsonColumns> &
  JsonColumns

const toSegmentRow = (row: unknown) => row as SegmentRow

export async function listSegmentRows(
  tx: TenantTx,
  { object_type, kind, state, search, sort, ...page }: SegmentQuery,
): Promise<Page<SegmentRow>> {
  const order = directionOf(sort, 'name')
  if (object_type || kind || state || search) await planForValues(tx)
  let segments = tx.selectFrom('marketing.segments')
  if (object_type) segments = segments.where('object_type', '=', object_type)
  if (kind) segments = segments.where('kind', '=', kind)
  if (state) segments = segments.where('state', '=', state)
  if (search) segments = segments.where(sql<boolean>`search_text like all (${toLikePatterns(search)}::text[])`)

  let rows = segments
    .select([...segmentColumns, 'name_key'])
    .orderBy('name_key', order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) rows = rows.where(isAfter(page.cursor, order))
  else rows = rows.offset(page.offset)
  const total = await totalOf(tx, segments, page)
  const result = toPage(await rows.execute(), total, page, ({ name_key, id }) => [name_key, id], order)
  return { ...result, items: result.items.map(toSegmentRow) }
}

const isAfter = (cursor: string, order: ListDirection) => (eb: ExpressionBuilder<Database, 'marketing.segments'>) =>
  eb(eb.refTuple('name_key', 'id'), order.after, eb.tuple(...decodeCursor(cursor, SortKey, order)))

export async function findSegment(tx: TenantTx, id: string): Promise<SegmentRow | undefined> {
  const row = await tx.selectFrom('marketing.segments').select(segmentColumns).where('id', '=', id).executeTakeFirst()
  return row && toSegmentRow(row)
}

export async function getSegmentRow(tx: TenantTx, id: string): Promise<SegmentRow> {
  const segment = await findSegment(tx, id)
  if (!segment) throw notFound('segment')
  return segment
}

export async function listSegmentsByIds(tx: TenantTx, ids: readonly string[]): Promise<SegmentRow[]> {
  const rows = await tx
    .selectFrom('marketing.segments')
    .select(segmentColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .execute()
  return rows.map(toSegmentRow)
}

export async function findSegmentNames(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const rows = await tx
    .selectFrom('marketing.segments')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export async function listSegmentIds(tx: TenantTx, limit: number): Promise<string[]> {
  const rows = await tx.selectFrom('marketing.segments').select('id').orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Serializes changes of segments, so that unique names, nesting and the limit hold under concurrency. */
export const lockSegments = (tx: TenantTx): Promise<void> => acquireAdvisoryLock(tx, 'segments')

export async function lockSegment(tx: TenantTx, id: string): Promise<SegmentRow> {
  const row = await tx
    .selectFrom('marketing.segments')
    .select(segmentColumns)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(() => notFound('segment'))
  return toSegmentRow(row)
}

export async function findSegmentIdByName(
  tx: TenantTx,
  objectType: SegmentType,
  name: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('marketing.segments')
    .select('id')
    .where('object_type', '=', objectType)
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  return row?.id
}

export async function countSegments(tx: TenantTx): Promise<number> {
  const { segments } = await tx
    .selectFrom('marketing.segments')
    .select(({ fn }) => fn.countAll<number>().as('segments'))
    .executeTakeFirstOrThrow()
  return segments
}

export async function insertSegment(tx: TenantTx, segment: Insertable<Segments>): Promise<SegmentRow> {
  const row = await tx
    .insertInto('marketing.segments')
    .values(segment)
    .returning(segmentColumns)
    .executeTakeFirstOrThrow()
  return toSegmentRow(row)
}

export async function updateSegmentRow(tx: TenantTx, id: string, changes: Updateable<Segments>): Promise<SegmentRow> {
  const row = await tx
    .updateTable('marketing.segments')
    .set(changes)
    .where('id', '=', id)
    .returning(segmentColumns)
    .executeTakeFirstOrThrow()
  return toSegmentRow(row)
}

export async function deleteSegmentRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('marketing.segments').where('id', '=', id).execute()
}
