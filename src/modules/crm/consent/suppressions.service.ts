import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import {
  type Channel,
  emailStatusFor,
  isStricterReason,
  noConsent,
  type SuppressionReason,
  statusOf,
} from './consent.rules.ts'
import { type ConsentProof, insertConsentEvents } from './consent-events.queries.ts'
import { lockConsent } from './consent-locks.queries.ts'
import { readConsents } from './find-consent.service.ts'
import { type ConsentServices, emailSubject, hashSubjects } from './subject-hashes.service.ts'
import { upsertSuppressions } from './suppressions.queries.ts'

export type SuppressionServices = Pick<Services, 'clock' | 'secrets'>
type NewSuppressions = { subjects: readonly string[]; channel: Channel; reason: SuppressionReason; source: string }

/** Adds suppressions, but does not change records: `recordOptOut` does both. Call this after all locks of rows. */
export async function addSuppressions(
  tx: TenantTx,
  services: SuppressionServices,
  { subjects, channel, reason, source }: NewSuppressions,
): Promise<void> {
  const keys = [...new Set(subjects.map(emailSubject))]
  const now = services.clock.now()
  await lockConsent(tx, keys)
  await tightenSuppressions(tx, services, { subjects: keys, channel, reason }, { basis: 'none', source, at: now, now })
}

type SuppressedSubject = { subject: string; hash: Buffer; from: string; to: string }

/** Requires locked subjects. An existing suppression keeps a reason that is as strict. */
export async function tightenSuppressions(
  tx: TenantTx,
  services: ConsentServices,
  { subjects, channel, reason }: Omit<NewSuppressions, 'source'>,
  proof: ConsentProof,
): Promise<SuppressedSubject[]> {
  const hashes = await hashSubjects(tx, services, subjects)
  const consents = await readConsents(tx, hashes)
  const to = channel === 'phone' ? 'do_not_call' : emailStatusFor(reason)
  const tightened = subjects.flatMap((subject) => {
    const consent = consents.get(subject) ?? noConsent
    const from = statusOf(channel, consent)
    return isStricterReason(reason, consent.reasons[channel]) ? [{ subject, hash: hashes.get(subject)!, from, to }] : []
  })
  if (!tightened.length) return []
  const events = tightened.map(({ hash, from, to }) => ({
    subject_hash: hash,
    channel,
    from_status: from,
    to_status: to,
  }))
  await Promise.all([
    upsertSuppressions(
      tx,
      tightened.map(({ hash }) => hash),
      { channel, reason, source: proof.source, at: proof.at },
    ),
    insertConsentEvents(tx, events, proof),
  ])
  return tightened
}
