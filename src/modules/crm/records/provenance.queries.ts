import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'

export type Provenance = 'human' | 'api' | 'import' | 'form' | 'enrichment' | 'convert' | 'merge'
type ProvenanceDetails = { source: Provenance; provider?: string | null; confidence?: number | null; at: Date }

export function provenanceOf({ type, origin }: Actor): Provenance {
  if (origin === 'import') return 'import'
  if (type === 'public') return 'form'
  return type === 'api_key' ? 'api' : 'human'
}

export function defaultSourceOf({ type, origin }: Actor): string {
  if (origin === 'import') return 'import'
  return type === 'api_key' ? 'api' : 'manual'
}

type RecordFields = { id: string; fields: readonly string[] }

export const recordProvenance = (
  tx: TenantTx,
  entityType: 'lead' | 'contact' | 'account',
  id: string,
  fields: readonly string[],
  details: ProvenanceDetails,
): Promise<void> => recordProvenances(tx, entityType, [{ id, fields }], details)

export async function recordProvenances(
  tx: TenantTx,
  entityType: 'lead' | 'contact' | 'account',
  records: readonly RecordFields[],
  { source, provider = null, confidence = null, at }: ProvenanceDetails,
): Promise<void> {
  const ids = records.flatMap(({ id, fields }) => fields.map(() => id))
  if (!ids.length) return
  await sql`
    insert into crm.field_provenance (entity_type, entity_id, field, source, provider, confidence, set_at, set_by)
    select ${entityType}, record.id, record.field, ${source}, ${provider}, ${confidence}::real, ${at}::timestamptz,
      ${actorOf(tx).userId}::uuid
    from unnest(${ids}::uuid[], ${records.flatMap(({ fields }) => fields)}::text[]) as record (id, field)
    on conflict (tenant_id, entity_type, entity_id, field) do update set
      source = excluded.source, provider = excluded.provider, confidence = excluded.confidence,
      set_at = excluded.set_at, set_by = excluded.set_by
  `.execute(tx)
}
