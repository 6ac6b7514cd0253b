import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { Span } from './days.rules.ts'

/** Every source there is, with what was spent on it in the months that begin within a span. The sum may outgrow a number. */
export async function listSourcesWithSpend(tx: TenantTx, { from, to }: Partial<Span>) {
  return await tx
    .selectFrom('crm.lead_sources')
    .select(['key', 'label', 'channel', 'is_active'])
    .select((eb) => {
      let spend = eb
        .selectFrom('crm.lead_source_spend')
        .select(sql<string>`coalesce(sum(amount_base_minor), 0)::text`.as('cost'))
        .whereRef('source_key', '=', 'crm.lead_sources.key')
      if (from !== undefined) spend = spend.where('month', '>=', from)
      if (to !== undefined) spend = spend.where('month', '<=', to)
      return spend.$asScalar().$notNull().as('cost')
    })
    .execute()
}
