import { type RawBuilder, sql } from 'kysely'
import type { FoundRecord } from '#modules/identity'
import { maxRanked, searchRank, type TenantTx } from '#platform/db'
import { recordTables } from '../../records/custom-values/custom-values.queries.ts'
import type { TaggableType } from '../../records/fields/tags.queries.ts'
import { searchWords } from '../../records/filters/search-conditions.queries.ts'

type Texts = { title: RawBuilder<string>; subtitle: RawBuilder<string | null> }

const texts: Record<TaggableType, Texts> = {
  lead: {
    title: sql`coalesce(record.name, record.email, record.phone, record.company, '')`,
    subtitle: sql`nullif(concat_ws(', ', record.title, record.company), '')`,
  },
  contact: {
    title: sql`coalesce(record.name, record.email, record.phone, '')`,
    subtitle: sql`nullif(concat_ws(', ', record.title, record.account_name), '')`,
  },
  account: { title: sql`record.name`, subtitle: sql`coalesce(record.domain, record.industry)` },
  opportunity: {
    title: sql`record.name`,
    subtitle: sql`(select account.name from crm.accounts account where account.id = record.account_id)`,
  },
}

export async function findRecordsByText(
  tx: TenantTx,
  type: TaggableType,
  search: string,
  limit: number,
): Promise<FoundRecord[]> {
  const words = searchWords(search)
  if (!words.length) return []
  const { title, subtitle } = texts[type]
  const ranked = sql<FoundRecord>`(
    select record.id, ${title} as title, ${subtitle} as subtitle
    from ${sql.table(recordTables[type])} as record
    where record.id = any (array(select crm.search_records(${sql.lit(type)}, ${words}::text[], ${sql.lit(maxRanked)})))
      and record.deleted_at is null
    order by ${searchRank(sql`record.search_text`, search)}, record.last_activity_at desc nulls last, record.id
    limit ${limit})`
  return await tx.selectFrom(ranked.as('found')).select(['id', 'title', 'subtitle']).execute()
}
