import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import {
  type Channel,
  emailStatusFor,
  isInherited,
  isStricterReason,
  noConsent,
  type SuppressionReason,
  statusOf,
} from './consent.rules.ts'
import { type ConsentProof, insertConsentEvents, lockConsent } from './consent-events.queries.ts'
import { type ConsentServices, emailSubject, hashSubjects, readConsents } from './find-consent.service.ts'
import { upsertSuppressions } from './suppressions.queries.ts'

export type SuppressionServices = Pick<Services, 'clock' | 'secrets'>
type NewSuppressions = { subjects: readonly string[]; channel: Channel; reason: SuppressionReason; source: string }

/** Adds suppressions, but does not change records: `recordOptOut` does both. Call this after all locks of rows. */
export async function suppressSubjects(
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

/** Requires locked subjects. An existing suppression keeps a reason that is as strict, and becomes permanent if it was inherited. */
export async function tightenSuppressions(
  tx: TenantTx,
  services: ConsentServices,
  { subjects, channel, reason }: Omit<NewSuppressions, 'source'>,
  proof: ConsentProof,
): Promise<SuppressedSubject[]> {
  const hashes = await hashSubjects(tx, services, subjects)
  const consents = await readConsents(tx, hashes)
  const tightened = subjects.flatMap((subject) => {
    const consent = consents.get(subject) ?? noConsent
    const current = consent.reasons[channel]
    const isStricter = isStricterReason(reason, current)
    if (!isStricter && !isInherited(consent, channel)) return []
    const kept = isStricter ? reason : current!
    const to = channel === 'phone' ? 'do_not_call' : emailStatusFor(kept)
    return [{ subject, hash: hashes.get(subject)!, reason: kept, from: statusOf(channel, consent), to }]
  })
  if (!tightened.length) return []
  const events = tightened.map(({ hash, from, to }) => ({
    subject_hash: hash,
    channel,
    from_status: from,
    to_status: to,
  }))
  for (const [kept, group] of Map.groupBy(tightened, (suppressed) => suppressed.reason)) {
    await upsertSuppressions(tx, group, { channel, reason: kept, source: proof.source, at: proof.at })
  }
  await insertConsentEvents(tx, events, proof)
  return tightened
}
