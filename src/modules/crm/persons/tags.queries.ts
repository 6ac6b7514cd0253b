import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type TaggedType = 'lead' | 'contact' | 'account' | 'opportunity'

/** Keeps the tags of a record once more, one row each, where an index finds them. */
export async function storeTags(tx: TenantTx, type: TaggedType, id: string, tags: readonly string[]): Promise<void> {
  await sql`
    with gone as (
      delete from crm.record_tags where entity_type = ${type} and record_id = ${id} and tag <> all (${tags}::text[])
    )
    insert into crm.record_tags (entity_type, tag, record_id)
    select ${type}, tag, ${id}::uuid from unnest(${tags}::text[]) as tag
    on conflict do nothing
  `.execute(tx)
}

/** Whether a record carries one of these tags, for the rule language. */
export const carriesTag =
  (type: TaggedType) =>
  (tags: readonly string[], recordId: Expression<string>): Expression<SqlBool> =>
    sql`exists (select from crm.record_tags mirrored
      where mirrored.entity_type = ${type} and mirrored.record_id = ${recordId} and mirrored.tag = any (${tags}::text[]))`
