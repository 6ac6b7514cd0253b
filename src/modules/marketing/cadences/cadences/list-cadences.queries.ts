import { sql } from 'kysely'
import {
  type Condition,
  hasFilter,
  type Page,
  type PagePlan,
  readPage,
  type TenantTx,
  toLikePatterns,
} from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { type CadenceRow, cadenceColumns } from '../cadence-records/cadences.queries.ts'
import type { CadenceQuery } from './cadences.schemas.ts'

const table = 'marketing.cadences'
const column = (name: string) => sql.ref(`${table}.${name}`)

/** Sorts by id, which has the order of the creation. */
export function listCadenceRows(
  tx: TenantTx,
  { sort = '-created_at', ...filter }: Omit<CadenceQuery, keyof PageQuery | 'include'>,
  page: PageQuery,
): Promise<Page<CadenceRow>> {
  const { status, owner_id, search } = filter
  const conditions: Condition[] = []
  if (owner_id) conditions.push(sql`${column('owner_id')} = ${owner_id}::uuid`)
  if (search)
    conditions.push(sql`coalesce(${column('search_text')} like all (${toLikePatterns(search)}::text[]), false)`)
  const statuses: Condition[] = [...new Set(status)].map((value) => sql`${column('status')} = ${value}`)
  const plan: PagePlan = {
    table,
    columns: cadenceColumns,
    order: { by: {}, isDescending: sort.startsWith('-') },
    scans: statuses.length
      ? statuses.map((condition) => ({ conditions: [condition, ...conditions] }))
      : [{ conditions }],
    filters: filter,
    plansForValues: hasFilter(filter),
  }
  return readPage<CadenceRow>(tx, plan, page)
}
