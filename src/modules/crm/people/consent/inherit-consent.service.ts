import type { TenantTx } from '#platform/db'
import {
  callStatusOf,
  deriveRecordConsent,
  emailStatusOf,
  isInherited,
  isOptOut,
  isRestricted,
  isStricterStatus,
  mergeConsent,
  noConsent,
  type RecordConsent,
  type SubjectConsent,
  statusOf,
  strictestEmailStatus,
} from './consent.rules.ts'
import { lockConsent, lockConsentShared, type PersonRef } from './consent-events.queries.ts'
import { findSubjectConsents, hashSubjects } from './find-consent.service.ts'
import { applyConsentChanges, type ConsentChange } from './project-consent.service.ts'
import { storeConsentChanges } from './store-consent.service.ts'
import type { SuppressionServices } from './suppressions.service.ts'

export type RecordAddresses = { email_key: string | null; phone_e164: string | null }
export type AddressedRecord = RecordConsent & RecordAddresses

type Inheritance = {
  /** The record and its addresses after the change. */
  target: RecordAddresses & { ref: PersonRef }
  /** All records whose opt-outs the target takes over. */
  records: readonly AddressedRecord[]
  source: string
}

const never = new Date(8.64e15)

/**
 * Returns the consent of a record that takes over the opt-outs of others or of its former addresses. They are recorded for its
 * addresses too, so that they outlive the record. Call this after all locks of rows.
 */
export async function inheritConsent(
  tx: TenantTx,
  services: SuppressionServices,
  inheritance: Inheritance,
): Promise<RecordConsent> {
  const { target, records } = inheritance
  const subjects = [...new Set([target, ...records].flatMap(subjectsOf))]
  const merge = async () => {
    const consents = await findSubjectConsents(tx, services, subjects)
    return {
      consents,
      consent: mergeConsent(
        target,
        records.map((record) => toCurrentConsent(record, consents)),
      ),
    }
  }
  const seen = await merge()
  if (!hasOptOut(seen.consent)) {
    await lockConsentShared(tx, subjects)
    const { consent } = await merge()
    if (!hasOptOut(consent)) return consent
  }
  await lockConsent(tx, subjects)
  const { consents, consent } = await merge()
  await extendOptOuts(tx, services, consent, { ...inheritance, consents })
  return consent
}

export const subjectsOf = ({ email_key, phone_e164 }: RecordAddresses): string[] =>
  [email_key, phone_e164].filter((subject) => subject !== null)

/** Records can be behind their addresses, because a job updates them. */
export function toCurrentConsent(record: AddressedRecord, consents: ReadonlyMap<string, SubjectConsent>) {
  const { email_key, phone_e164 } = record
  const subjects = {
    email: consents.get(email_key ?? '') ?? noConsent,
    phone: consents.get(phone_e164 ?? '') ?? noConsent,
  }
  return { email_key, ...deriveRecordConsent(subjects, record, never) }
}

const hasOptOut = ({ email_status, call_status, processing_restricted }: RecordConsent): boolean =>
  isOptOut(email_status) || call_status === 'do_not_call' || processing_restricted

type Extension = Inheritance & { consents: ReadonlyMap<string, SubjectConsent> }

async function extendOptOuts(
  tx: TenantTx,
  services: SuppressionServices,
  { email_status, call_status, processing_restricted }: RecordConsent,
  { target: { ref, email_key, phone_e164 }, source, consents }: Extension,
): Promise<void> {
  const hashes = await hashSubjects(tx, services, subjectsOf({ email_key, phone_e164 }))
  const consentOf = (subject: string) => consents.get(subject) ?? noConsent
  const toChange = (channel: ConsentChange['channel'], subject: string, from: string, to: string): ConsentChange => ({
    channel,
    subject,
    hash: hashes.get(subject)!,
    record: ref,
    from,
    to,
    source,
  })
  const changes: ConsentChange[] = []
  if (email_key !== null) {
    const consent = consentOf(email_key)
    const from = emailStatusOf(consent)
    if (isOptOut(email_status) && (isStricterStatus(email_status, from) || isInherited(consent, 'email')))
      changes.push(toChange('email', email_key, from, strictestEmailStatus([from, email_status])))
    if (processing_restricted && (!isRestricted(consent) || isInherited(consent, 'processing')))
      changes.push(toChange('processing', email_key, statusOf('processing', consent), 'restricted'))
  }
  if (phone_e164 !== null && call_status === 'do_not_call') {
    const consent = consentOf(phone_e164)
    const from = callStatusOf(consent)
    if (from === 'allowed' || isInherited(consent, 'phone'))
      changes.push(toChange('phone', phone_e164, from, call_status))
  }
  if (!changes.length) return
  const now = services.clock.now()
  await storeConsentChanges(tx, changes, { basis: 'none', source, at: now, now, record: ref })
  await applyConsentChanges(tx, { leads: [], contacts: [], isPartial: true }, changes, now)
}

type ReaddressedRecord = AddressedRecord & { ref: PersonRef }
type NewAddresses = { email: string | null | undefined; phone_e164: string | null }

/** Opt-outs belong to the person, so a new address gets them. Opt-ins and bounces stay with the former address. */
export async function moveConsent(
  tx: TenantTx,
  services: SuppressionServices,
  record: ReaddressedRecord,
  { email, phone_e164 }: NewAddresses,
): Promise<Partial<RecordConsent>> {
  const email_key = email === undefined ? record.email_key : (email?.toLowerCase() ?? null)
  const hasNewEmail = email_key !== record.email_key
  const hasNewPhone = phone_e164 !== record.phone_e164
  if (!hasNewEmail && !hasNewPhone) return {}
  const target = { ref: record.ref, email_key, phone_e164 }
  const source = `address changed in ${record.ref.kind} ${record.ref.id}`
  const { email_status, call_status, processing_restricted } = await inheritConsent(tx, services, {
    target,
    records: [record, { ...newConsent, email_key, phone_e164 }],
    source,
  })
  return {
    ...(hasNewEmail && { email_status, processing_restricted }),
    ...(hasNewPhone && { call_status }),
  }
}

type MovedRecord = { record: ReaddressedRecord; addresses: NewAddresses }

/** Like `moveConsent`, for several records: locks all their addresses first, in one order. The keys of the result are ids. */
export async function moveConsents(
  tx: TenantTx,
  services: SuppressionServices,
  moved: readonly MovedRecord[],
): Promise<Map<string, Partial<RecordConsent>>> {
  const readdressed = moved.filter(
    ({ record, addresses: { email, phone_e164 } }) =>
      phone_e164 !== record.phone_e164 || (email !== undefined && emailKeyOf(email) !== record.email_key),
  )
  const subjects = readdressed.flatMap(({ record, addresses: { email, phone_e164 } }) => [
    ...subjectsOf(record),
    ...subjectsOf({ email_key: emailKeyOf(email), phone_e164 }),
  ])
  if (readdressed.length > 1) await lockConsent(tx, subjects)
  const consents = new Map<string, Partial<RecordConsent>>()
  for (const { record, addresses } of readdressed)
    consents.set(record.ref.id, await moveConsent(tx, services, record, addresses))
  return consents
}

const emailKeyOf = (email: string | null | undefined): string | null => email?.toLowerCase() ?? null

const newConsent: RecordConsent = { email_status: 'unknown', call_status: 'allowed', processing_restricted: false }
