import { sql } from 'kysely'
import { type Page, type PagePlan, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import type { SortedPageQuery } from '#platform/schema'
import type { NewTouch } from './touches.queries.ts'

const table = 'marketing.opportunity_touches'
const columns = [
  'id',
  'opportunity_id',
  'campaign_id',
  'kind',
  'amount_base_minor',
  'touch_at',
  'position',
  'of',
  'first_minor',
  'last_minor',
  'linear_minor',
]
const kinds = ['open', 'won', 'lost'] as const

type InfluencedFilter = { campaignId: string; kind?: readonly (typeof kinds)[number][] }

const orders: SortOrders = { amount: { by: { amount_base_minor: 'integer' } } }

/** Largest amount first: one range of the index per kind. */
export async function listInfluencedRows(
  tx: TenantTx,
  { campaignId, kind = kinds }: InfluencedFilter,
  page: SortedPageQuery,
): Promise<Page<NewTouch>> {
  const plan: PagePlan = {
    table,
    columns,
    filters: { campaignId, kind },
    order: sortOrderOf(orders, page.sort ?? '-amount'),
    scans: [...new Set(kind)].map((one) => ({
      conditions: [
        sql`${sql.ref(`${table}.campaign_id`)} = ${campaignId}::uuid`,
        sql`${sql.ref(`${table}.kind`)} = ${one}`,
        sql`not ${sql.ref(`${table}.is_hidden`)}`,
      ],
    })),
  }
  return await readPage<NewTouch>(tx, plan, page)
}
