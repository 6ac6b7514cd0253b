import { createHmac } from 'node:crypto'
import { readSecret } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { findSuppression } from './suppressions.queries.ts'

type Keys = Pick<Services, 'secrets'>
type EmailStatus = 'unknown' | 'unsubscribed' | 'bounced' | 'complained'

/** Suppressions are kept by a hash that only the workspace's own key can make, so that they tell nothing without it. */
export const subjectKeyName = 'crm.subject_key'

const meaningOf: Record<string, EmailStatus> = { bounced: 'bounced', complained: 'complained' }

/** What is known about writing to an address, whatever records there were of it. */
export async function emailStatusFor(tx: TenantTx, keys: Keys, email: string | null): Promise<EmailStatus> {
  const reason = email ? await reasonAgainst(tx, keys, email.toLowerCase(), 'email') : null
  return reason === null ? 'unknown' : (meaningOf[reason] ?? 'unsubscribed')
}

/** The same for calling a number. */
export async function callStatusFor(tx: TenantTx, keys: Keys, phoneE164: string | null) {
  const reason = phoneE164 ? await reasonAgainst(tx, keys, phoneE164, 'phone') : null
  return reason === null ? 'allowed' : 'do_not_call'
}

async function reasonAgainst(tx: TenantTx, { secrets }: Keys, subject: string, channel: 'email' | 'phone') {
  const key = await readSecret(tx, secrets, subjectKeyName)
  // Whoever suppresses the first one makes the key.
  return key === null ? null : await findSuppression(tx, subjectHash(key, subject), channel)
}

export const subjectHash = (key: string, subject: string): Buffer =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update(subject).digest()
