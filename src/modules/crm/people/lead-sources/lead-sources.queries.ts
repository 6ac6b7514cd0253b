import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'

/** Creates missing sources, in ascending order of their keys. */
export async function registerLeadSources(tx: TenantTx, keys: Iterable<string>): Promise<void> {
  const sources = [...new Set(keys)].sort().map((key) => ({ key, label: labelOf(key) }))
  const { columns, rows } = selectRows(sources, { key: 'text', label: 'text' })
  await tx
    .insertInto('crm.lead_sources')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) => conflict.constraint('lead_sources_pkey').doNothing())
    .execute()
}

function labelOf(key: string): string {
  const words = key.replaceAll('_', ' ').trim()
  return words ? words[0]!.toUpperCase() + words.slice(1) : key
}

export async function deleteUnusedLeadSources(tx: TenantTx, keys: readonly string[]): Promise<void> {
  await sql`select key from crm.lead_sources where key = any (${keys}::text[]) order by key for update`.execute(tx)
  await sql`
    delete from crm.lead_sources source
    where key = any (${keys}::text[]) and updated_at = created_at
      and not exists (select from crm.leads where crm.leads.source = source.key and deleted_at is null)
      and not exists (select from crm.lead_source_spend spend where spend.source_key = source.key)
    returning key
  `.execute(tx)
}

const sourceColumns = ['key', 'label', 'channel', 'is_active', 'created_at', 'updated_at'] as const

export function findLeadSource(tx: TenantTx, key: string) {
  return tx.selectFrom('crm.lead_sources').select(sourceColumns).where('key', '=', key).executeTakeFirst()
}

type LeadSourceColumns = { label: string; channel: string; is_active: boolean }

/** The row lock serializes concurrent replacements of the same source. */
export function upsertLeadSource(tx: TenantTx, key: string, columns: LeadSourceColumns) {
  return tx
    .insertInto('crm.lead_sources')
    .values({ key, ...columns })
    .onConflict((conflict) => conflict.constraint('lead_sources_pkey').doUpdateSet(columns))
    .returning(sourceColumns)
    .executeTakeFirstOrThrow()
}

export type MonthlySpend = { month: string; amount_minor: number; currency: string; amount_base_minor: number }

export async function listLeadSourceSpend(tx: TenantTx, key: string): Promise<MonthlySpend[]> {
  return await tx
    .selectFrom('crm.lead_source_spend')
    .select(['month', 'amount_minor', 'currency', 'amount_base_minor'])
    .where('source_key', '=', key)
    .orderBy('month')
    .execute()
}

export async function replaceLeadSourceSpend(tx: TenantTx, key: string, spend: MonthlySpend[]): Promise<void> {
  const months = spend.map(({ month }) => month)
  await tx
    .deleteFrom('crm.lead_source_spend')
    .where('source_key', '=', key)
    .where('month', '<>', sql<string>`all(${months}::date[])`)
    .execute()
  if (!spend.length) return
  const { columns, rows } = selectRows(
    spend.map((monthly) => ({ source_key: key, ...monthly })),
    { source_key: 'text', month: 'date', amount_minor: 'bigint', currency: 'text', amount_base_minor: 'bigint' },
  )
  await tx
    .insertInto('crm.lead_source_spend')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) =>
      conflict.constraint('lead_source_spend_pkey').doUpdateSet((eb) => ({
        amount_minor: eb.ref('excluded.amount_minor'),
        currency: eb.ref('excluded.currency'),
        amount_base_minor: eb.ref('excluded.amount_base_minor'),
      })),
    )
    .execute()
}
