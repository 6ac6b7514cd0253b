import type { TenantTx } from '#platform/db'
import type { SuppressionReason } from './consent.rules.ts'
import { lockConsent } from './consent-events.queries.ts'
import { emailSubject } from './find-consent.service.ts'
import { type LockedPersonRecords, lockPersonRecords } from './lock-person-records.service.ts'
import { applyConsentChanges } from './project-consent.service.ts'
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
  const people = await lockPersonRecords(
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

type EmailOptOuts = { emails: readonly string[]; reason: SuppressionReason; source: string }
type LockedRecords = Pick<LockedPersonRecords, 'leads' | 'contacts'>

/**
 * Opts many email addresses out with a fixed number of statements, and returns those that were not yet. Changes the locked records
 * of `people` at once; a job changes the other records of the addresses.
 */
export async function recordOptOuts(
  tx: TenantTx,
  services: SuppressionServices,
  { emails, reason, source }: EmailOptOuts,
  people: LockedRecords = { leads: [], contacts: [] },
): Promise<Set<string>> {
  const subjects = [...new Set(emails.map(emailSubject))]
  if (!subjects.length) return new Set()
  await lockConsent(tx, subjects)
  const now = services.clock.now()
  const proof = { basis: 'none', source, at: now, now }
  const tightened = await tightenSuppressions(tx, services, { subjects, channel: 'email', reason }, proof)
  const changes = tightened.map((change) => ({ ...change, channel: 'email' as const, source }))
  await applyConsentChanges(tx, { ...people, isPartial: true }, changes, now)
  return new Set(tightened.map(({ subject }) => subject))
}
