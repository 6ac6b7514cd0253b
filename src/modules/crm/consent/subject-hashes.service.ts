import { createHmac, randomBytes } from 'node:crypto'
import { findOrCreateSecret, readSecret } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'

export type ConsentServices = Pick<Services, 'secrets'>

/** Consent is stored for HMACs with a workspace key, so the tables reveal no email addresses or phone numbers. */
export const subjectKeyName = 'crm.subject_key'

export const emailSubject = (email: string): string => email.toLowerCase()

/** Returns the hash of every subject, a lower-case email address or a phone number. Creates the key of the workspace at the first use. */
export async function hashSubjects(
  tx: TenantTx,
  { secrets }: ConsentServices,
  subjects: readonly string[],
): Promise<Map<string, Buffer>> {
  const createKey = () => randomBytes(32).toString('base64url')
  return hashAll(await findOrCreateSecret(tx, secrets, subjectKeyName, createKey), subjects)
}

/** Returns no hashes if the workspace has no key, because then it has no consent either. */
export async function findSubjectHashes(
  tx: TenantTx,
  { secrets }: ConsentServices,
  subjects: readonly string[],
): Promise<Map<string, Buffer>> {
  const key = subjects.length ? await readSecret(tx, secrets, subjectKeyName) : null
  return key === null ? new Map() : hashAll(key, subjects)
}

function hashAll(key: string, subjects: readonly string[]): Map<string, Buffer> {
  const bytes = Buffer.from(key, 'base64url')
  return new Map(subjects.map((subject) => [subject, createHmac('sha256', bytes).update(subject).digest()]))
}
