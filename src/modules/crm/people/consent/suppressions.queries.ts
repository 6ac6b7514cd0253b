import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { Channel, SuppressionReason } from './consent.rules.ts'

export function listSuppressionsOf(tx: TenantTx, subjectHashes: readonly Buffer[]) {
  return tx
    .selectFrom('crm.suppressions')
    .select(['subject_hash', 'channel', 'reason'])
    .where('subject_hash', '=', sql<Buffer>`any(${subjectHashes}::bytea[])`)
    .execute()
}

type SuppressedSubject = { subject: string; hash: Buffer }
type NewSuppressions = { channel: Channel; reason: SuppressionReason; source: string; at: Date }

export async function upsertSuppressions(
  tx: TenantTx,
  subjects: readonly SuppressedSubject[],
  { channel, reason, source, at }: NewSuppressions,
): Promise<void> {
  const isShown = reason !== 'erased'
  await sql`
    insert into crm.suppressions (subject_hash, subject, channel, reason, source, at)
    select hash, subject, ${channel}, ${reason}, ${source}, ${at}
    from unnest(${subjects.map(({ hash }) => hash)}::bytea[],
      ${subjects.map(({ subject }) => (isShown ? subject : null))}::text[]) as suppressed (hash, subject)
    order by hash
    on conflict (tenant_id, subject_hash, channel) do update
    set reason = excluded.reason, source = excluded.source, at = excluded.at, subject = excluded.subject
  `.execute(tx)
}

export async function deleteSuppressionRow(tx: TenantTx, subjectHash: Buffer, channel: Channel): Promise<void> {
  await tx
    .deleteFrom('crm.suppressions')
    .where('subject_hash', '=', subjectHash)
    .where('channel', '=', channel)
    .execute()
}

export async function eraseSuppressedSubjects(tx: TenantTx, subjectHashes: readonly Buffer[]): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('crm.suppressions')
    .set({ subject: null })
    .where('subject_hash', '=', sql<Buffer>`any(${subjectHashes}::bytea[])`)
    .where('subject', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function deleteUploadsOf(tx: TenantTx, emails: readonly string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('crm.suppression_uploads')
    .where('email', '=', sql<string>`any(${emails}::text[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
