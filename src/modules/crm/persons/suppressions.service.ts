import { createHmac } from 'node:crypto'
import { readSecret } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { strictestEmailStatus } from './consent.rules.ts'
import { findSuppression } from './suppressions.queries.ts'

type SuppressionServices = Pick<Services, 'secrets'>
type EmailStatus = 'unknown' | 'unsubscribed' | 'bounced' | 'complained'

/** Suppressions are stored as HMACs with a workspace key, so the table reveals no email addresses or phone numbers. */
export const subjectKeyName = 'crm.subject_key'

const emailStatusByReason: Record<string, EmailStatus> = { bounced: 'bounced', complained: 'complained' }

export async function findEmailStatus(
  tx: TenantTx,
  services: SuppressionServices,
  email: string | null,
): Promise<EmailStatus> {
  const reason = email ? await findReason(tx, services, email.toLowerCase(), 'email') : null
  return reason === null ? 'unknown' : (emailStatusByReason[reason] ?? 'unsubscribed')
}

export async function findCallStatus(tx: TenantTx, services: SuppressionServices, phoneE164: string | null) {
  const reason = phoneE164 ? await findReason(tx, services, phoneE164, 'phone') : null
  return reason === null ? 'allowed' : 'do_not_call'
}

type Reachable = { email: string | null; phone_e164: string | null; email_status: string; call_status: string }
type OptOuts = { email_status?: string; call_status?: string }

/** Returns opt-outs of the email address and phone number that the record does not have, for example since it was deleted. */
export async function findMissedOptOuts(
  tx: TenantTx,
  services: SuppressionServices,
  { email, phone_e164, email_status, call_status }: Reachable,
): Promise<OptOuts> {
  const strictest = strictestEmailStatus([email_status, await findEmailStatus(tx, services, email)])
  const isDoNotCall =
    call_status !== 'do_not_call' && (await findCallStatus(tx, services, phone_e164)) === 'do_not_call'
  return {
    ...(strictest !== email_status && { email_status: strictest }),
    ...(isDoNotCall && { call_status: 'do_not_call' }),
  }
}

async function findReason(tx: TenantTx, { secrets }: SuppressionServices, subject: string, channel: 'email' | 'phone') {
  const key = await readSecret(tx, secrets, subjectKeyName)
  // The first suppression creates the key; without a key there are none.
  return key === null ? null : await findSuppression(tx, subjectHash(key, subject), channel)
}

export const subjectHash = (key: string, subject: string): Buffer =>
  createHmac('sha256', Buffer.from(key, 'base64url')).update(subject).digest()
