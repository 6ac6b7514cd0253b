import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { Channel, SuppressionReason } from './consent.rules.ts'

export function listSuppressions(tx: TenantTx, subjectHashes: readonly Buffer[]) {
  return tx
    .selectFrom('crm.suppressions')
    .select(['subject_hash', 'channel', 'reason'])
    .where('subject_hash', '=', sql<Buffer>`any(${subjectHashes}::bytea[])`)
    .execute()
}

type NewSuppressions = { channel: Channel; reason: SuppressionReason; source: string; at: Date }

export async function upsertSuppressions(
  tx: TenantTx,
  subjectHashes: readonly Buffer[],
  { channel, reason, source, at }: NewSuppressions,
): Promise<void> {
  await sql`
    insert into crm.suppressions (subject_hash, channel, reason, source, at)
    select subject_hash, ${channel}, ${reason}, ${source}, ${at} from unnest(${subjectHashes}::bytea[]) as subject_hash
    order by subject_hash
    on conflict (tenant_id, subject_hash, channel) do update
    set reason = excluded.reason, source = excluded.source, at = excluded.at
  `.execute(tx)
}

export async function deleteSuppressionRow(tx: TenantTx, subjectHash: Buffer, channel: Channel): Promise<void> {
  await tx
    .deleteFrom('crm.suppressions')
    .where('subject_hash', '=', subjectHash)
    .where('channel', '=', channel)
    .execute()
}
