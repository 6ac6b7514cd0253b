import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'

export type RecordWork = 'activity' | 'deal'

const dealsOf: Record<ImportedType, RawBuilder<unknown>> = {
  lead: sql`select from crm.opportunities deal where deal.lead_id = record.id and deal.deleted_at is null`,
  contact: sql`
    select from crm.opportunity_contacts link
    join crm.opportunities deal on deal.tenant_id = link.tenant_id and deal.id = link.opportunity_id
    where link.contact_id = record.id and deal.deleted_at is null
    union all
    select from crm.opportunities deal where deal.primary_contact_id = record.id and deal.deleted_at is null`,
}

export async function listWorkOnRecords(
  tx: TenantTx,
  objectType: ImportedType,
  ids: readonly string[],
): Promise<Map<string, RecordWork>> {
  if (!ids.length) return new Map()
  const column = sql.ref(`${objectType}_id`)
  const { rows } = await sql<{ id: string; work: RecordWork }>`
    select id, work from (
      select record.id, case
        when exists (select from crm.activities activity where activity.${column} = record.id
          and (activity.actor_type in ('user', 'person') or (activity.type = 'task' and activity.completed_at is null)))
          then 'activity'
        when exists (${dealsOf[objectType]}) then 'deal'
      end as work
      from unnest(${ids}::uuid[]) as record (id)
    ) as worked where work is not null
  `.execute(tx)
  return new Map(rows.map(({ id, work }) => [id, work]))
}
