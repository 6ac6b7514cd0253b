import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type Channel = 'email' | 'survey' | 'phone'
export type SuppressionReason = 'unsubscribed' | 'complained' | 'bounced' | 'erased' | 'manual'

export function listSuppressions(tx: TenantTx, subjectHashes: readonly Buffer[], channel: Channel) {
  return tx
    .selectFrom('crm.suppressions')
    .select(['subject_hash', 'reason'])
    .where('subject_hash', '=', sql<Buffer>`any(${subjectHashes}::bytea[])`)
    .where('channel', '=', channel)
    .execute()
}

type NewSuppressions = { channel: Channel; reason: SuppressionReason; source: string; at: Date }

/** Inserts in the order of the hashes, because concurrent transactions wait for the same keys. */
export async function insertSuppressions(
  tx: TenantTx,
  subjectHashes: readonly Buffer[],
  { channel, reason, source, at }: NewSuppressions,
): Promise<void> {
  await sql`
    insert into crm.suppressions (subject_hash, channel, reason, source, at)
    select subject_hash, ${channel}, ${reason}, ${source}, ${at} from unnest(${subjectHashes}::bytea[]) as subject_hash
    order by subject_hash
    on conflict (tenant_id, subject_hash, channel) do nothing
  `.execute(tx)
}
