import { sql } from 'kysely'
import { listTenantsWithRows, type SystemTx, selectRows, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'

export type AttributionMark = {
  record_type: 'opportunity' | 'lead' | 'contact'
  record_id: string
  is_closing?: boolean
}

type PersonRef = { lead_id: string | null; contact_id: string | null }

export const markPersons = (persons: readonly PersonRef[]): AttributionMark[] =>
  persons.flatMap(({ lead_id, contact_id }) => [
    ...(lead_id ? [{ record_type: 'lead' as const, record_id: lead_id }] : []),
    ...(contact_id ? [{ record_type: 'contact' as const, record_id: contact_id }] : []),
  ])

/** The touches of these deals, or of the deals of these persons, are calculated again by the next run of the schedule. */
export async function insertAttributionMarks(tx: TenantTx, marks: readonly AttributionMark[]): Promise<void> {
  if (!marks.length) return
  const { columns, rows } = selectRows(
    marks.map(({ is_closing = false, ...mark }) => ({ id: newId(), ...mark, is_closing })),
    { id: 'uuid', record_type: 'text', record_id: 'uuid', is_closing: 'boolean' },
  )
  await tx.insertInto('marketing.attribution_marks').columns(columns).expression(rows).execute()
}

export type TakenMark = Required<AttributionMark>

/** Deletes and returns the oldest marks. Data read afterwards contains the changes that they stand for. */
export async function takeAttributionMarks(tx: TenantTx, limit: number): Promise<TakenMark[]> {
  const { rows } = await sql<TakenMark>`
    delete from marketing.attribution_marks where (tenant_id, id) in (
      select tenant_id, id from marketing.attribution_marks order by tenant_id, id limit ${limit} for update skip locked)
    returning record_type, record_id, is_closing
  `.execute(tx)
  return rows
}

export const listTenantsWithMarks = (tx: SystemTx): Promise<string[]> =>
  listTenantsWithRows(tx, 'marketing.attribution_marks')
