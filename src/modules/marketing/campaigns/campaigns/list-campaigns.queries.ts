import { sql } from 'kysely'
import { hasAnyTag } from '#modules/crm'
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
import { campaignStatuses } from './campaign-status.rules.ts'
import { type CampaignRow, campaignColumns } from './campaigns.queries.ts'
import type { CampaignQuery } from './campaigns.schemas.ts'

export type CampaignFilter = Omit<CampaignQuery, keyof PageQuery | 'include'>

const ranksPerStatus = 1_000_000
const column = (name: string) => sql.ref(`marketing.campaigns.${name}`)

/** One range of the index per status, because the rank begins with the status. */
export async function listCampaignRows(
  tx: TenantTx,
  { sort = 'priority', ...filter }: CampaignFilter,
  page: PageQuery,
): Promise<Page<CampaignRow>> {
  const statuses = filter.status ? [...new Set(filter.status)] : undefined
  const types = filter.type ? [...new Set(filter.type)] : [undefined]
  const conditions = otherConditions(filter)
  const ranges = statuses ? statuses.map(rankRange) : [[]]
  const plan: PagePlan = {
    table: 'marketing.campaigns',
    columns: campaignColumns,
    order: { by: { list_rank: 'integer' }, isDescending: sort === '-priority' },
    scans: types.flatMap((type) =>
      ranges.map((range) => ({
        conditions: [...(type ? [sql<boolean>`${column('type')} = ${type}`] : []), ...range, ...conditions],
      })),
    ),
    filters: filter,
    plansForValues: hasFilter(filter),
  }
  return await readPage<CampaignRow>(tx, plan, page)
}

function rankRange(status: (typeof campaignStatuses)[number]): Condition[] {
  const from = (campaignStatuses.indexOf(status) + 1) * ranksPerStatus
  return [
    sql`${column('list_rank')} >= ${from}::integer and ${column('list_rank')} < ${from + ranksPerStatus}::integer`,
  ]
}

function otherConditions({ owner_id, active_on, search, tag }: Omit<CampaignFilter, 'sort'>): Condition[] {
  const conditions: Condition[] = []
  if (owner_id) conditions.push(sql`${column('owner_id')} = ${owner_id}::uuid`)
  if (active_on)
    conditions.push(
      sql`coalesce(${column('start_on')} <= ${active_on}::date and (${column('end_on')} is null or ${column('end_on')} >= ${active_on}::date), false)`,
    )
  if (search)
    conditions.push(sql`coalesce(${column('search_text')} like all (${toLikePatterns(search)}::text[]), false)`)
  if (tag) conditions.push(hasAnyTag('campaign')([tag], sql<string>`${column('id')}`))
  return conditions
}
