import type { TenantTx } from '#platform/db'
import { strictestEmailStatus } from './consent.rules.ts'
import { type ConsentServices, emailSubject, findSubjectHashes, hashSubjects } from './subject-hashes.service.ts'
import { type Channel, insertSuppressions, listSuppressions, type SuppressionReason } from './suppressions.queries.ts'

export type EmailStatus = 'unknown' | 'subscribed' | 'unsubscribed' | 'bounced' | 'complained'
export type CallStatus = 'allowed' | 'do_not_call'

const emailStatusByReason: Record<string, EmailStatus> = { bounced: 'bounced', complained: 'complained' }

/** The keys of the result are the given email addresses. */
export async function findEmailStatuses(
  tx: TenantTx,
  services: ConsentServices,
  emails: readonly string[],
): Promise<Map<string, EmailStatus>> {
  const reasons = await findReasons(tx, services, emails.map(emailSubject), 'email')
  const statusOf = (reason: string | undefined) =>
    reason === undefined ? 'unknown' : (emailStatusByReason[reason] ?? 'unsubscribed')
  return new Map(emails.map((email) => [email, statusOf(reasons.get(emailSubject(email)))]))
}

/** The keys of the result are the given phone numbers, in E.164 format. */
export async function findCallStatuses(
  tx: TenantTx,
  services: ConsentServices,
  phones: readonly string[],
): Promise<Map<string, CallStatus>> {
  const reasons = await findReasons(tx, services, phones, 'phone')
  return new Map(phones.map((phone) => [phone, reasons.has(phone) ? 'do_not_call' : 'allowed']))
}

export async function findEmailStatus(
  tx: TenantTx,
  services: ConsentServices,
  email: string | null,
): Promise<EmailStatus> {
  return email ? (await findEmailStatuses(tx, services, [email])).get(email)! : 'unknown'
}

export async function findCallStatus(
  tx: TenantTx,
  services: ConsentServices,
  phoneE164: string | null,
): Promise<CallStatus> {
  return phoneE164 ? (await findCallStatuses(tx, services, [phoneE164])).get(phoneE164)! : 'allowed'
}

type NewSuppressions = { subjects: string[]; channel: Channel; reason: SuppressionReason; source: string }

/** Adds suppressions of email addresses or phone numbers. Existing ones keep their reason. */
export async function addSuppressions(
  tx: TenantTx,
  services: ConsentServices & { clock: { now(): Date } },
  { subjects, channel, reason, source }: NewSuppressions,
): Promise<void> {
  const hashes = await hashSubjects(tx, services, subjects.map(emailSubject))
  await insertSuppressions(tx, [...hashes.values()], { channel, reason, source, at: services.clock.now() })
}

type Reachable = { email: string | null; phone_e164: string | null; email_status: string; call_status: string }
type OptOuts = { email_status?: string; call_status?: string }

/** Returns opt-outs of the email address and phone number that the record does not have, for example since it was deleted. */
export async function findMissedOptOuts(
  tx: TenantTx,
  services: ConsentServices,
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

async function findReasons(
  tx: TenantTx,
  services: ConsentServices,
  subjects: readonly string[],
  channel: Channel,
): Promise<Map<string, string>> {
  const hashes = await findSubjectHashes(tx, services, subjects)
  if (!hashes.size) return new Map()
  const rows = await listSuppressions(tx, [...hashes.values()], channel)
  const reasons = new Map(rows.map(({ subject_hash, reason }) => [subject_hash.toString('hex'), reason]))
  return new Map(
    [...hashes].flatMap(([subject, hash]) => {
      const reason = reasons.get(hash.toString('hex'))
      return reason === undefined ? [] : [[subject, reason] as const]
    }),
  )
}
