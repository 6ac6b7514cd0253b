import type { TenantTx } from '#platform/db'
import type { SuppressionReason } from './consent.rules.ts'
import { lockPeople } from './lock-people.service.ts'
import { applyConsentChanges } from './project-consent.service.ts'
import { emailSubject } from './subject-hashes.service.ts'
import { type SuppressionServices, tightenSuppressions } from './suppressions.service.ts'

export type OptOut = ({ email: string; channel: 'email' | 'survey' } | { phone: string; channel: 'phone' }) & {
  reason: SuppressionReason
  source: string
  evidence?: string | null
}

/** Does nothing if the address already has a stricter status. Locks leads, contacts and consent, in this order. */
export async function recordOptOut(tx: TenantTx, services: SuppressionServices, optOut: OptOut): Promise<void> {
  const { channel, reason, source, evidence } = optOut
  const subject = optOut.channel === 'phone' ? optOut.phone : emailSubject(optOut.email)
  const people = await lockPeople(
    tx,
    channel === 'phone' ? { emails: [], phones: [subject] } : { emails: [subject], phones: [] },
  )
  const now = services.clock.now()
  const proof = { basis: 'none', source, evidence, at: now, now }
  const tightened = await tightenSuppressions(tx, services, { subjects: [subject], channel, reason }, proof)
  await applyConsentChanges(
    tx,
    people,
    tightened.map((change) => ({ ...change, channel, source })),
    now,
  )
}
