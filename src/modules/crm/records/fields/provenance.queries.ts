import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'

export type Provenance = 'human' | 'api' | 'import' | 'form' | 'enrichment' | 'convert' | 'merge'
/** The provider that an enriched value of a field comes from. */
export type FieldSource = { field: string; provider: string; confidence: number }
type ProvenanceDetails = {
  source: Provenance
  at: Date
  /** Recorded instead of the changed fields, because each may come from another provider. */
  enrichedFrom?: readonly FieldSource[]
}

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

type RecordType = 'lead' | 'contact' | 'account'

export const recordProvenance = (
  tx: TenantTx,
  entityType: RecordType,
  id: string,
  fields: readonly string[],
  { enrichedFrom, ...details }: ProvenanceDetails,
): Promise<void> =>
  enrichedFrom
    ? recordEnrichment(tx, entityType, id, enrichedFrom, details.at)
    : recordProvenances(tx, entityType, [{ id, fields }], details)

export async function recordProvenances(
  tx: TenantTx,
  entityType: RecordType,
  records: readonly RecordFields[],
  { source, at }: Omit<ProvenanceDetails, 'enrichedFrom'>,
): Promise<void> {
  const ids = records.flatMap(({ id, fields }) => fields.map(() => id))
  if (!ids.length) return
  await sql`
    insert into crm.field_provenance (entity_type, entity_id, field, source, provider, confidence, set_at, set_by)
    select ${entityType}, record.id, record.field, ${source}, null, null, ${at}::timestamptz, ${actorOf(tx).userId}::uuid
    from unnest(${ids}::uuid[], ${records.flatMap(({ fields }) => fields)}::text[]) as record (id, field)
    on conflict (tenant_id, entity_type, entity_id, field) do update set
      source = excluded.source, provider = excluded.provider, confidence = excluded.confidence,
      set_at = excluded.set_at, set_by = excluded.set_by
  `.execute(tx)
}

export async function recordEnrichment(
  tx: TenantTx,
  entityType: RecordType,
  id: string,
  sources: readonly FieldSource[],
  at: Date,
): Promise<void> {
  if (!sources.length) return
  await sql`
    insert into crm.field_provenance (entity_type, entity_id, field, source, provider, confidence, set_at, set_by)
    select ${entityType}, ${id}::uuid, source.field, 'enrichment', source.provider, source.confidence, ${at}::timestamptz,
      ${actorOf(tx).userId}::uuid
    from json_to_recordset(${JSON.stringify(sources)}::json) as source (field text, provider text, confidence real)
    on conflict (tenant_id, entity_type, entity_id, field) do update set
      source = excluded.source, provider = excluded.provider, confidence = excluded.confidence,
      set_at = excluded.set_at, set_by = excluded.set_by
  `.execute(tx)
}

export type FieldProvenance = { source: Provenance; provider: string | null; confidence: number | null; set_at: Date }

export async function listProvenance(
  tx: TenantTx,
  entityType: RecordType,
  id: string,
): Promise<Map<string, FieldProvenance>> {
  const rows = await tx
    .selectFrom('crm.field_provenance')
    .select(['field', 'source', 'provider', 'confidence', 'set_at'])
    .where('entity_type', '=', entityType)
    .where('entity_id', '=', id)
    .execute()
  return new Map(rows.map(({ field, ...provenance }) => [field, provenance as FieldProvenance]))
}
