import type { TenantTx } from '#platform/db'
import { noConsent, type RecordConsent } from './consent.rules.ts'
import type { PersonRef } from './consent-events.queries.ts'
import { findSubjectConsents, findSubjectHashes } from './find-consent.service.ts'
import { type RecordAddresses, subjectsOf } from './inherit-consent.service.ts'
import { applyConsentChanges, type ConsentChange } from './project-consent.service.ts'
import { storeConsentChanges } from './store-consent.service.ts'
import type { SuppressionServices } from './suppressions.service.ts'

type Reversal = {
  ref: PersonRef
  /** The addresses that took over opt-outs, and the source of these. */
  addresses: RecordAddresses
  source: string
  /** Opt-outs that have another cause and therefore stay. */
  kept: RecordConsent
  newSource: string
}

/** Gives addresses back the consent that they had before they took over opt-outs, unless it has changed since. Requires locked consent. */
export async function revertInheritedConsent(
  tx: TenantTx,
  services: SuppressionServices,
  { ref, addresses, source, kept, newSource }: Reversal,
): Promise<void> {
  const { email_key, phone_e164 } = addresses
  const subjects = subjectsOf(addresses)
  const [hashes, consents] = await Promise.all([
    findSubjectHashes(tx, services, subjects),
    findSubjectConsents(tx, services, subjects),
  ])
  const toChanges = (channel: ConsentChange['channel'], subject: string | null, isKept: boolean): ConsentChange[] => {
    const latest = (consents.get(subject ?? '') ?? noConsent).latest[channel]
    if (subject === null || isKept || latest?.source !== source || latest.from_status === latest.to_status) return []
    const hash = hashes.get(subject)!
    return [{ channel, subject, hash, record: ref, from: latest.to_status, to: latest.from_status, source: newSource }]
  }
  const changes = [
    ...toChanges('email', email_key, kept.email_status !== 'unknown'),
    ...toChanges('processing', email_key, kept.processing_restricted),
    ...toChanges('phone', phone_e164, kept.call_status === 'do_not_call'),
  ]
  if (!changes.length) return
  const now = services.clock.now()
  await storeConsentChanges(tx, changes, { basis: 'none', source: newSource, at: now, now, record: ref })
  await applyConsentChanges(tx, { leads: [], contacts: [], isPartial: true }, changes, now)
}
