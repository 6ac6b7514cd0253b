import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import type { SegmentReference } from './segments.schemas.ts'

export async function replaceReferences(
  tx: TenantTx,
  segmentId: string,
  references: readonly SegmentReference[],
): Promise<void> {
  await tx.deleteFrom('marketing.segment_references').where('segment_id', '=', segmentId).execute()
  if (!references.length) return
  const { columns, rows } = selectRows(
    references.map((reference) => ({ segment_id: segmentId, ...reference })),
    { segment_id: 'uuid', kind: 'text', ref: 'text' },
  )
  await tx.insertInto('marketing.segment_references').columns(columns).expression(rows).execute()
}

export const listReferenceRows = (tx: TenantTx, segmentId: string): Promise<SegmentReference[]> =>
  tx
    .selectFrom('marketing.segment_references')
    .select(['kind', 'ref'])
    .where('segment_id', '=', segmentId)
    .orderBy('kind')
    .orderBy('ref')
    .execute()

/** Returns the segments whose rules refer to this, such as a custom field (`field`) or a campaign. */
export async function listSegmentIdsUsing(tx: TenantTx, kind: string, ref: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.segment_references')
    .select('segment_id')
    .where('kind', '=', kind)
    .where('ref', '=', ref)
    .orderBy('segment_id')
    .execute()
  return rows.map(({ segment_id }) => segment_id)
}

/** Returns which segments use the segment, directly or through others. */
export async function listUsesAbove(tx: TenantTx, segmentId: string): Promise<{ user: string; used: string }[]> {
  const uses = sql<{ user: string; used: string }>`(
    with recursive uses (using_id, used_id) as (
      select segment_id, ${segmentId}::uuid from marketing.segment_references where kind = 'segment' and ref = ${segmentId}
      union
      select reference.segment_id, uses.using_id
      from (select using_id, using_id::text as ref from uses) as uses
      join marketing.segment_references reference on reference.kind = 'segment' and reference.ref = uses.ref
    )
    select using_id as user, used_id as used from uses)`
  return await tx.selectFrom(uses.as('uses')).select(['uses.user', 'uses.used']).execute()
}

type SegmentUseRow =
  | { type: 'segment'; id: string; name: string }
  | { type: 'flow'; id: string; target_type: string; target_id: string }

export async function listSegmentUseRows(tx: TenantTx, segmentId: string): Promise<SegmentUseRow[]> {
  const segments = await tx
    .selectFrom('marketing.segment_references as reference')
    .innerJoin('marketing.segments as segment', 'segment.id', 'reference.segment_id')
    .select(['segment.id', 'segment.name'])
    .where('reference.kind', '=', 'segment')
    .where('reference.ref', '=', segmentId)
    .orderBy('segment.name_key')
    .execute()
  const flows = await tx
    .selectFrom('marketing.segment_flows')
    .select(['id', 'target_type', 'target_id'])
    .where('segment_id', '=', segmentId)
    .where('is_active', '=', sql.lit(true))
    .orderBy('id')
    .execute()
  return [
    ...segments.map((segment) => ({ type: 'segment' as const, ...segment })),
    ...flows.map((flow) => ({ type: 'flow' as const, ...flow })),
  ]
}
