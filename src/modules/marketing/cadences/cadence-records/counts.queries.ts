import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { Counts } from './measures.rules.ts'

const toCounts = (rows: readonly { measure: string; value: number }[]): Counts =>
  Object.fromEntries(rows.map(({ measure, value }) => [measure, value]))

export async function listCadenceTotals(tx: TenantTx, cadenceIds: readonly string[]): Promise<Map<string, Counts>> {
  if (!cadenceIds.length) return new Map()
  const rows = await tx
    .selectFrom('marketing.cadence_counts')
    .select(['cadence_id', 'measure', 'value'])
    .where('cadence_id', '=', sql<string>`any(${cadenceIds}::uuid[])`)
    .where('step_id', '=', sql<string>`any(${cadenceIds}::uuid[])`)
    .execute()
  const byCadence = Map.groupBy(rows, ({ cadence_id }) => cadence_id)
  return new Map([...byCadence].map(([id, counts]) => [id, toCounts(counts)]))
}

/** Counts of a cadence, by step; those of the whole cadence have its id. */
export async function listCountsOf(tx: TenantTx, cadenceId: string): Promise<Map<string, Counts>> {
  const rows = await tx
    .selectFrom('marketing.cadence_counts')
    .select(['step_id', 'measure', 'value'])
    .where('cadence_id', '=', cadenceId)
    .execute()
  return new Map([...Map.groupBy(rows, ({ step_id }) => step_id)].map(([id, counts]) => [id, toCounts(counts)]))
}
