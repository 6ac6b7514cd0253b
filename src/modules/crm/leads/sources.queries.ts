import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** A source nobody has described yet is known from now on, under a label made from its key. */
export async function registerSource(tx: TenantTx, key: string): Promise<void> {
  const words = key.replaceAll('_', ' ').trim()
  const label = words ? words[0]!.toUpperCase() + words.slice(1) : key
  await tx
    .insertInto('crm.lead_sources')
    .values({ key, label })
    .onConflict((known) => known.constraint('lead_sources_pkey').doNothing())
    .execute()
}

const sourceColumns = ['key', 'label', 'channel', 'is_active', 'created_at', 'updated_at'] as const

export function findSource(tx: TenantTx, key: string) {
  return tx.selectFrom('crm.lead_sources').select(sourceColumns).where('key', '=', key).executeTakeFirst()
}

type Described = { label: string; channel: string; is_active: boolean }

/** Its row stays locked, so that two who describe the same source follow one another. */
export function storeSource(tx: TenantTx, key: string, described: Described) {
  return tx
    .insertInto('crm.lead_sources')
    .values({ key, ...described })
    .onConflict((known) => known.constraint('lead_sources_pkey').doUpdateSet(described))
    .returning(sourceColumns)
    .executeTakeFirstOrThrow()
}

export type MonthlySpend = { month: string; amount_minor: number; currency: string; amount_base_minor: number }

export async function listSpend(tx: TenantTx, key: string): Promise<MonthlySpend[]> {
  return await tx
    .selectFrom('crm.lead_source_spend')
    .select(['month', 'amount_minor', 'currency', 'amount_base_minor'])
    .where('source_key', '=', key)
    .orderBy('month')
    .execute()
}

/** These months, and no others. */
export async function replaceSpend(tx: TenantTx, key: string, spend: MonthlySpend[]): Promise<void> {
  const months = spend.map(({ month }) => month)
  await tx
    .deleteFrom('crm.lead_source_spend')
    .where('source_key', '=', key)
    .where('month', '<>', sql<string>`all(${months}::date[])`)
    .execute()
  if (!spend.length) return
  await tx
    .insertInto('crm.lead_source_spend')
    .values(spend.map((one) => ({ source_key: key, ...one })))
    .onConflict((known) =>
      known.constraint('lead_source_spend_pkey').doUpdateSet((eb) => ({
        amount_minor: eb.ref('excluded.amount_minor'),
        currency: eb.ref('excluded.currency'),
        amount_base_minor: eb.ref('excluded.amount_base_minor'),
      })),
    )
    .execute()
}
