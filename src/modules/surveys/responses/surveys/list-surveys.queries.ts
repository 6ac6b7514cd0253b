import { type Expression, type SqlBool, sql } from 'kysely'
import {
  hasFilter,
  type Page,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
  toLikePatterns,
  toSearchWords,
} from '#platform/db'
import { type SurveyRow, surveyColumns } from '../../design/survey-records/survey-row.ts'
import type { SurveyQuery } from '../../design/survey-records/surveys.schemas.ts'

type Condition = Expression<SqlBool>

const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }
const maxMatches = 10_000
const maxWords = 5

/** Statuses or types are one index scan each, because their indexes are sorted by creation. */
export async function listSurveyRows(tx: TenantTx, query: SurveyQuery): Promise<Page<SurveyRow>> {
  const { limit, offset, cursor, count, sort = '-created_at', ...filters } = query
  const { status, survey_type, owner_id, search } = filters
  const conditions: Condition[] = [sql`surveys.surveys.deleted_at is null`]
  if (owner_id) conditions.push(sql`surveys.surveys.owner_id = ${owner_id}::uuid`)
  if (status && survey_type) conditions.push(sql`surveys.surveys.survey_type = any (${survey_type}::text[])`)
  if (search) conditions.push(await searchCondition(tx, search))
  const scans: Condition[] = status
    ? [...new Set(status)].map((value) => sql<SqlBool>`surveys.surveys.status = ${value}`)
    : [...new Set(survey_type)].map((value) => sql<SqlBool>`surveys.surveys.survey_type = ${value}`)
  const plan = {
    table: 'surveys.surveys',
    columns: surveyColumns,
    order: sortOrderOf(orders, sort),
    scans: scans.length ? scans.map((scan) => ({ conditions: [scan, ...conditions] })) : [{ conditions }],
    filters,
    plansForValues: hasFilter(filters),
  }
  return await readPage<SurveyRow>(tx, plan, { limit, offset, cursor, count })
}

/** A condition on the matching ids if they are few; otherwise the text of each scanned survey is tested. */
async function searchCondition(tx: TenantTx, search: string): Promise<Condition> {
  const words = toSearchWords(search).slice(0, maxWords)
  const found = sql<{ id: string }>`(
    select id from surveys.search_surveys(${words}::text[], ${sql.lit(maxMatches + 1)}) as id)`
  const rows = await tx.selectFrom(found.as('found')).select('id').execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length <= maxMatches) return sql`surveys.surveys.id = any (${ids}::uuid[])`
  return sql`coalesce(surveys.surveys.search_text like all (${toLikePatterns(search)}::text[]), false)`
}
