import type { TenantTx } from '#platform/db'
import { emailStatusOf, noConsent, type SuppressionReason, statusOf } from './consent.rules.ts'
import { insertConsentEvents, lockConsent } from './consent-events.queries.ts'
import { emailSubject, hashSubjects, readConsents } from './find-consent.service.ts'
import { type LockedPersonRecords, lockPersonRecords } from './lock-person-records.service.ts'
import { applyConsentChanges } from './project-consent.service.ts'
import { storeConsentChanges } from './store-consent.service.ts'
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

type OptIns = { emails: readonly string[]; source: string }
type LockedRecords = Pick<LockedPersonRecords, 'leads' | 'contacts'>

/**
 * Subscribes email addresses that have neither opted in nor out, with a fixed number of statements. What a person, a bounce or a list
 * said stays. Changes the locked records of `people` at once; a job changes the other records of the addresses.
 */
export async function recordOptIns(
  tx: TenantTx,
  services: SuppressionServices,
  { emails, source }: OptIns,
  people: LockedRecords = { leads: [], contacts: [] },
): Promise<void> {
  const subjects = [...new Set(emails.map(emailSubject))]
  if (!subjects.length) return
  await lockConsent(tx, subjects)
  const hashes = await hashSubjects(tx, services, subjects)
  const consents = await readConsents(tx, hashes)
  const unknown = subjects.filter((subject) => emailStatusOf(consents.get(subject) ?? noConsent) === 'unknown')
  if (!unknown.length) return
  const now = services.clock.now()
  const changes = unknown.map((subject) => ({
    channel: 'email' as const,
    subject,
    hash: hashes.get(subject)!,
    from: 'unknown',
    to: 'subscribed',
    source,
  }))
  const events = changes.map(({ hash, channel, from, to }) => ({
    subject_hash: hash,
    channel,
    from_status: from,
    to_status: to,
  }))
  await insertConsentEvents(tx, events, { basis: 'consent', source, at: now, now })
  await applyConsentChanges(tx, { ...people, isPartial: true }, changes, now)
}
