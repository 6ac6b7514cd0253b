import type { TenantTx } from '#platform/db'

export async function findSuppression(tx: TenantTx, subjectHash: Buffer, channel: 'email' | 'phone') {
  const suppression = await tx
    .selectFrom('crm.suppressions')
    .select('reason')
    .where('subject_hash', '=', subjectHash)
    .where('channel', '=', channel)
    .executeTakeFirst()
  return suppression?.reason ?? null
}
