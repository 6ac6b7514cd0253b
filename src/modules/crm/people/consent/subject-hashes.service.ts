import { createHmac, randomBytes } from 'node:crypto'
import { findOrCreateSecret, readSecret } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'

export type ConsentServices = Pick<Services, 'secrets'>

/** Consent is stored for HMACs with a workspace key, so the tables reveal no email addresses or phone numbers. */
export const subjectKeyName = 'crm.subject_key'

export const emailSubject = (email: string): string => email.toLowerCase()
export const isEmailSubject = (subject: string): boolean => subject.includes('@')

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

export function hashWithKey(key: string, subjects: readonly string[]): Map<string, Buffer> {
  const bytes = Buffer.from(key, 'base64url')
  return new Map(subjects.map((subject) => [subject, createHmac('sha256', bytes).update(subject).digest()]))
}
