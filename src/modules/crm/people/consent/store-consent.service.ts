import type { TenantTx } from '#platform/db'
import type { SuppressionReason } from './consent.rules.ts'
import { type ConsentProof, insertConsentEvents } from './consent-events.queries.ts'
import type { ConsentChange } from './project-consent.service.ts'
import { deleteSuppressionRow, upsertSuppressions } from './suppressions.queries.ts'

const reasonFor: Readonly<Record<string, SuppressionReason>> = {
  unsubscribed: 'manual',
  do_not_call: 'manual',
  bounced: 'bounced',
  complained: 'complained',
}

/** Requires locked consent. */
export async function storeConsentChanges(
  tx: TenantTx,
  changes: readonly ConsentChange[],
  proof: ConsentProof,
): Promise<void> {
  const { source, at } = proof
  for (const { channel, subject, hash, to } of changes) {
    if (channel === 'processing' || hash === null || subject === null) continue
    const reason = reasonFor[to]
    if (reason) await upsertSuppressions(tx, [{ subject, hash }], { channel, reason, source, at })
    else await deleteSuppressionRow(tx, hash, channel)
  }
  const events = changes.map(({ hash, channel, from, to }) => ({
    subject_hash: hash,
    channel,
    from_status: from,
    to_status: to,
  }))
  await insertConsentEvents(tx, events, proof)
}
