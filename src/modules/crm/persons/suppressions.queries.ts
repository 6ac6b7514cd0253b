import type { TenantTx } from '#platform/db'

/** Why somebody must not be reached on a channel, if so. */
export async function findSuppression(tx: TenantTx, subjectHash: Buffer, channel: 'email' | 'phone') {
  const found = await tx
    .selectFrom('crm.suppressions')
    .select('reason')
    .where('subject_hash', '=', subjectHash)
    .where('channel', '=', channel)
    .executeTakeFirst()
  return found?.reason ?? null
}
