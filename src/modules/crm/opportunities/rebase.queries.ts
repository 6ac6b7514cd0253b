import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const batchSize = 500

export type ForeignDeal = { id: string; amount_minor: number; amount_currency: string; amount_base_minor: number }

/** Open deals in another currency than the base, by id, locked. */
export async function lockForeignDeals(tx: TenantTx, base: string, after: string | null): Promise<ForeignDeal[]> {
  const { rows } = await sql<ForeignDeal>`
    select id, amount_minor, amount_currency, amount_base_minor from crm.opportunities
    where id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      and kind = 'open' and amount_currency <> ${base}
    order by id limit ${sql.lit(batchSize)} for no key update
  `.execute(tx)
  return rows
}

export async function storeBases(tx: TenantTx, deals: readonly Pick<ForeignDeal, 'id' | 'amount_base_minor'>[]) {
  const [ids, amounts] = [deals.map(({ id }) => id), deals.map(({ amount_base_minor }) => amount_base_minor)]
  await sql`
    update crm.opportunities as deal set amount_base_minor = rebased.minor
    from unnest(${ids}::uuid[], ${amounts}::bigint[]) as rebased (id, minor)
    where deal.id = rebased.id
  `.execute(tx)
}
