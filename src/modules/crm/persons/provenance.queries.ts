import { sql } from 'kysely'
import type { Actor } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'

export type Provenance = 'human' | 'api' | 'import' | 'form' | 'enrichment' | 'convert' | 'merge'
type Origin = { source: Provenance; provider?: string | null; confidence?: number | null; at: Date }

/** Whose word a value is that this actor wrote. */
export function provenanceOf({ type, origin }: Actor): Provenance {
  if (origin === 'import') return 'import'
  if (type === 'public') return 'form'
  return type === 'api_key' ? 'api' : 'human'
}

/** Where a record came from, if nobody says. */
export function sourceOf({ type, origin }: Actor): string {
  if (origin === 'import') return 'import'
  return type === 'api_key' ? 'api' : 'manual'
}

/** Notes where the values of these fields came from. The latest word is what is kept. */
export async function noteProvenance(
  tx: TenantTx,
  entityType: 'lead' | 'contact' | 'account',
  id: string,
  fields: readonly string[],
  { source, provider = null, confidence = null, at }: Origin,
): Promise<void> {
  if (!fields.length) return
  await sql`
    insert into crm.field_provenance (entity_type, entity_id, field, source, provider, confidence, set_at, set_by)
    select ${entityType}, ${id}::uuid, field, ${source}, ${provider}, ${confidence}::real, ${at}::timestamptz,
      ${actorOf(tx).userId}::uuid
    from unnest(${fields}::text[]) as field
    on conflict (tenant_id, entity_type, entity_id, field) do update set
      source = excluded.source, provider = excluded.provider, confidence = excluded.confidence,
      set_at = excluded.set_at, set_by = excluded.set_by
  `.execute(tx)
}
