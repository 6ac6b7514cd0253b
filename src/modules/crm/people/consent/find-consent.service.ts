import { createHmac, randomBytes } from 'node:crypto'
import { findOrCreateSecret, readSecret } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import {
  type Channel,
  deriveRecordConsent,
  noConsent,
  type RecordConsent,
  type SubjectConsent,
  type SuppressionReason,
} from './consent.rules.ts'
import { listLatestEvents, lockConsentShared } from './consent-events.queries.ts'
import { listSuppressionsOf } from './suppressions.queries.ts'

export type ConsentServices = Pick<Services, 'secrets'>

/** Consent is stored for HMACs with a workspace key, so the tables reveal no email addresses or phone numbers. */
export const subjectKeyName = 'crm.subject_key'

export const emailSubject = (email: string): string => email.toLowerCase()
const isEmailSubject = (subject: string): boolean => subject.includes('@')

/** Creates the key of the workspace at the first use. Subjects are lower-case email addresses and phone numbers in E.164 format. */
export async function hashSubjects(
  tx: TenantTx,
  { secrets }: ConsentServices,
  subjects: readonly string[],
): Promise<Map<string, Buffer>> {
  const createKey = () => randomBytes(32).toString('base64url')
  return hashWithKey(await findOrCreateSecret(tx, secrets, subjectKeyName, createKey), subjects)
}

export const readSubjectKey = (tx: TenantTx, { secrets }: ConsentServices): Promise<string | null> =>
  readSecret(tx, secrets, subjectKeyName)

export async function findSubjectHashes(
  tx: TenantTx,
  services: ConsentServices,
  subjects: readonly string[],
): Promise<Map<string, Buffer>> {
  const key = subjects.length ? await readSubjectKey(tx, services) : null
  return key === null ? new Map() : hashWithKey(key, subjects)
}

function hashWithKey(key: string, subjects: readonly string[]): Map<string, Buffer> {
  const bytes = Buffer.from(key, 'base64url')
  return new Map(subjects.map((subject) => [subject, createHmac('sha256', bytes).update(subject).digest()]))
}

const emailChannels = ['email', 'processing'] as const
const phoneChannels = ['phone'] as const

export async function findSubjectConsents(
  tx: TenantTx,
  services: ConsentServices,
  subjects: readonly string[],
): Promise<Map<string, SubjectConsent>> {
  return await readConsents(tx, await findSubjectHashes(tx, services, subjects))
}

/** The consent cannot change until the transaction ends. Call this after all locks of rows; a known key saves a round trip. */
export async function lockSubjectConsentsShared(
  tx: TenantTx,
  services: ConsentServices,
  subjects: readonly string[],
  subjectKey: string | null = null,
): Promise<Map<string, SubjectConsent>> {
  const [, consents] = await Promise.all([
    lockConsentShared(tx, subjects),
    subjectKey === null
      ? findSubjectConsents(tx, services, subjects)
      : readConsents(tx, hashWithKey(subjectKey, subjects)),
  ])
  return consents
}

export async function readConsents(
  tx: TenantTx,
  hashes: ReadonlyMap<string, Buffer>,
): Promise<Map<string, SubjectConsent>> {
  if (!hashes.size) return new Map()
  const subjectChannels = [...hashes].flatMap(([subject, subject_hash]) =>
    (isEmailSubject(subject) ? emailChannels : phoneChannels).map((channel) => ({ subject_hash, channel })),
  )
  const [suppressions, events] = await Promise.all([
    listSuppressionsOf(tx, [...hashes.values()]),
    listLatestEvents(tx, subjectChannels),
  ])
  const consents = new Map<string, SubjectConsent>()
  const consentOf = (hash: Buffer) => {
    const key = hash.toString('hex')
    const consent = consents.get(key) ?? { reasons: {}, latest: {} }
    consents.set(key, consent)
    return consent
  }
  for (const { subject_hash, channel, reason } of suppressions)
    consentOf(subject_hash).reasons[channel as Channel] = reason as SuppressionReason
  for (const { subject_hash, channel, ...state } of events) consentOf(subject_hash).latest[channel] = state
  return new Map([...hashes].map(([subject, hash]) => [subject, consents.get(hash.toString('hex')) ?? noConsent]))
}

export type ConsentSource = {
  email?: string | null
  phone_e164: string | null
  record?: RecordConsent
  since?: Date
}

const newRecord: RecordConsent = { email_status: 'unknown', call_status: 'allowed', processing_restricted: false }

/** Returns the consent of records in the order of `sources`. Call this after all locks of rows. */
export async function findRecordConsents(
  tx: TenantTx,
  services: ConsentServices,
  sources: readonly ConsentSource[],
  subjectKey?: string | null,
): Promise<RecordConsent[]> {
  const subjects = sources.flatMap(({ email, phone_e164 }) => [
    ...(email ? [emailSubject(email)] : []),
    ...(phone_e164 ? [phone_e164] : []),
  ])
  const consents = await lockSubjectConsentsShared(tx, services, subjects, subjectKey)
  const consentOf = (subject: string | null | undefined) => (subject && consents.get(subject)) || noConsent
  return sources.map(({ email, phone_e164, record = newRecord, since = new Date(0) }) => {
    const subjectConsents = { email: consentOf(email && emailSubject(email)), phone: consentOf(phone_e164) }
    return deriveRecordConsent(subjectConsents, record, since)
  })
}
