import { sql } from 'kysely'
import { Type } from 'typebox'
import { decodeCursor, directionOf, orderingOf, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id, type PageQuery, Timestamp } from '#platform/schema'
import type { Suppression } from './suppressions.schemas.ts'

const SortKey = Type.Tuple([Timestamp, Id])
const columns = ['id', 'subject', 'channel', 'reason', 'source', 'at'] as const

type ListFilter = PageQuery & { channel?: string; subjectHash?: Buffer; sort?: string }

export async function listSuppressionRows(tx: TenantTx, { channel, subjectHash, sort, ...page }: ListFilter) {
  const order = directionOf(sort, '-at')
  let suppressions = tx.selectFrom('crm.suppressions')
  if (channel) suppressions = suppressions.where('channel', '=', channel)
  if (subjectHash) suppressions = suppressions.where('subject_hash', '=', subjectHash)
  let pageQuery = suppressions
    .select(columns)
    .orderBy('at', order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
    .$castTo<Suppression>()
  if (page.cursor) {
    const [at, id] = decodeCursor(page.cursor, SortKey, order)
    pageQuery = pageQuery.where(sql<boolean>`(at, id) ${orderingOf(order).after} (${at}::timestamptz, ${id}::uuid)`)
  } else pageQuery = pageQuery.offset(page.offset)
  const total = await totalOf(tx, suppressions, page)
  return toPage(await pageQuery.execute(), total, page, ({ at, id }) => [at.toISOString(), id], order)
}

export function findSuppression(tx: TenantTx, id: string) {
  return tx
    .selectFrom('crm.suppressions')
    .select(['id', 'subject_hash', 'subject', 'channel', 'reason'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertUploaded(
  tx: TenantTx,
  uploadId: string,
  after: number,
  emails: readonly string[],
): Promise<void> {
  await sql`
    insert into crm.suppression_uploads (upload_id, position, email)
    select ${uploadId}::uuid, ${after}::integer + position, email
    from unnest(${emails}::text[]) with ordinality as uploaded (email, position)
  `.execute(tx)
}

export async function takeUploaded(tx: TenantTx, uploadId: string, upTo: number): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    delete from crm.suppression_uploads where upload_id = ${uploadId}::uuid and position <= ${upTo} returning email
  `.execute(tx)
  return rows.map(({ email }) => email)
}
