import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { readPosition, type SortedList } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { maxMatches, searchWords } from '../../records/lists/search-conditions.queries.ts'

type LeadSearch = SortedList & { filters: { search?: string } }

/** Returns the first matching leads in the default order and the number of all; `ids` is undefined if there are too many to sort. */
export async function searchByPriority(
  tx: TenantTx,
  list: LeadSearch,
  page: PageQuery,
): Promise<{ matches: number; ids: string[] | undefined }> {
  const position = readPosition(list, page)
  const [rank, micros] = position?.key ?? [null, null]
  const createdAt = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
  const after = sql`${rank}::smallint, ${createdAt}, ${position?.id ?? null}::uuid`
  const maxRows = (position ? 0 : page.offset) + page.limit + 1
  const search = sql<{ matches: number; ids: string[] }>`crm.search_leads_by_priority(
    ${searchWords(list.filters.search)}::text[], ${sql.lit(maxMatches + 1)}, ${maxRows}::integer, ${after})`
  const { matches, ids } = await tx
    .selectFrom(search.as('search'))
    .select(['search.matches', 'search.ids'])
    .executeTakeFirstOrThrow()
  return { matches, ids: matches > maxMatches ? undefined : ids }
}
