import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type TaggableType = 'lead' | 'contact' | 'account' | 'opportunity'
/** Campaigns belong to another module but share the table of tags. */
type TagOwner = TaggableType | 'campaign'

export const replaceTags = (tx: TenantTx, type: TagOwner, id: string, tags: readonly string[]): Promise<void> =>
  replaceTagsOfMany(tx, type, [{ id, tags }])

/** Copies the tags of records to an indexed table, one row per tag. */
export async function replaceTagsOfMany(
  tx: TenantTx,
  type: TagOwner,
  records: readonly { id: string; tags: readonly string[] }[],
): Promise<void> {
  if (!records.length) return
  const ids = records.map(({ id }) => id)
  await sql`
    with wanted as materialized (
      select record.id, tag from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as record (id uuid, tags text[])
      cross join unnest(record.tags) as tag
    ), removed as (
      delete from crm.record_tags where entity_type = ${type} and record_id = any (${ids}::uuid[])
        and not exists (select from wanted where wanted.id = record_id and wanted.tag = record_tags.tag)
    )
    insert into crm.record_tags (entity_type, tag, record_id) select ${type}, tag, id from wanted
    on conflict do nothing
  `.execute(tx)
}

export async function insertTags(
  tx: TenantTx,
  type: TaggableType,
  records: readonly { id: string; tags: readonly string[] }[],
): Promise<void> {
  const ids = records.flatMap(({ id, tags }) => tags.map(() => id))
  if (!ids.length) return
  await sql`
    insert into crm.record_tags (entity_type, tag, record_id)
    select ${type}, record.tag, record.id
    from unnest(${ids}::uuid[], ${records.flatMap(({ tags }) => tags)}::text[]) as record (id, tag)
    on conflict do nothing
  `.execute(tx)
}

export async function deleteTags(
  tx: TenantTx,
  type: TaggableType,
  ids: readonly string[],
  tags: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('crm.record_tags')
    .where('entity_type', '=', type)
    .where('record_id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('tag', '=', sql<string>`any(${tags}::text[])`)
    .execute()
}

export const hasAnyTag =
  (type: TagOwner) =>
  (tags: readonly string[], recordId: Expression<string>): Expression<SqlBool> =>
    sql`exists (select from crm.record_tags record_tag
      where record_tag.entity_type = ${type} and record_tag.record_id = ${recordId} and record_tag.tag = any (${tags}::text[]))`
