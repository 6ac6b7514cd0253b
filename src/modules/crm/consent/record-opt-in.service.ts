import type { TenantTx } from '#platform/db'
import { noConsent, type SuppressionReason, statusOf } from './consent.rules.ts'
import { readConsents } from './find-consent.service.ts'
import { lockPersonRecords } from './lock-person-records.service.ts'
import { applyConsentChanges } from './project-consent.service.ts'
import { storeConsentChanges } from './store-consent.service.ts'
import { emailSubject, hashSubjects } from './subject-hashes.service.ts'
import type { SuppressionServices } from './suppressions.service.ts'

export type OptIn = { email: string; channel: 'email' | 'survey'; source: string; evidence: string }

const reasonsOfThePerson: readonly SuppressionReason[] = ['unsubscribed', 'manual']

/** Ends an opt-out at the request of the person. Bounces, complaints, imported lists and erasures stay. Locks as `recordOptOut` does. */
export async function recordOptIn(tx: TenantTx, services: SuppressionServices, optIn: OptIn): Promise<void> {
  const { channel, source, evidence } = optIn
  const subject = emailSubject(optIn.email)
  const people = await lockPersonRecords(tx, { emails: [subject], phones: [] })
  const hashes = await hashSubjects(tx, services, [subject])
  const consent = (await readConsents(tx, hashes)).get(subject) ?? noConsent
  const reason = consent.reasons[channel]
  if (!reason || !reasonsOfThePerson.includes(reason)) return
  const now = services.clock.now()
  const change = {
    channel,
    subject,
    hash: hashes.get(subject)!,
    from: statusOf(channel, consent),
    to: channel === 'email' ? 'subscribed' : 'unknown',
    source,
  }
  await storeConsentChanges(tx, [change], { basis: 'consent', source, evidence, at: now, now })
  await applyConsentChanges(tx, people, [change], now)
}
