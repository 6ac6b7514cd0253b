import type { TenantTx } from '#platform/db'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import {
  emailStatusOf,
  isOptOut,
  isRestricted,
  noConsent,
  type SubjectConsent,
  strictestEmailStatus,
} from './consent.rules.ts'
import type { PersonKind } from './consent-events.queries.ts'
import {
  type ConsentServices,
  emailSubject,
  findSubjectConsents,
  lockSubjectConsentsShared,
} from './find-consent.service.ts'
import { listBlockedRecords, listPersonEmails } from './person-records.queries.ts'

export type ContactPermission =
  | { allowed: true }
  | { allowed: false; code: 'opted_out' | 'not_opted_in' | 'bounced' | 'processing_restricted' }

type EmailChannel = { channel: 'email' | 'survey' }

/** Call this in the transaction that claims the messages, after all locks of rows: an opt-out is seen, or waits for the claim. */
export async function mayContact(
  tx: TenantTx,
  services: ConsentServices,
  emails: readonly string[],
  channel: EmailChannel,
): Promise<Map<string, ContactPermission>> {
  const subjects = [...new Set(emails.map(emailSubject))]
  return await decideAll(tx, emails, channel, lockSubjectConsentsShared(tx, services, subjects))
}

/** Like `mayContact`, without locks: for plans and counts. Whether a message may be sent is decided again when it is claimed. */
export async function findContactPermissions(
  tx: TenantTx,
  services: ConsentServices,
  emails: readonly string[],
  channel: EmailChannel,
): Promise<Map<string, ContactPermission>> {
  const subjects = [...new Set(emails.map(emailSubject))]
  return await decideAll(tx, emails, channel, findSubjectConsents(tx, services, subjects))
}

async function decideAll(
  tx: TenantTx,
  emails: readonly string[],
  { channel }: EmailChannel,
  reading: Promise<ReadonlyMap<string, SubjectConsent>>,
): Promise<Map<string, ContactPermission>> {
  const subjects = [...new Set(emails.map(emailSubject))]
  const [consents, { consent: settings }, blocked] = await Promise.all([
    reading,
    readCrmSettings(tx),
    listBlockedRecords(tx, subjects),
  ])
  const blockedByEmail = Map.groupBy(blocked, ({ email_key }) => email_key)
  const decide = (email: string): ContactPermission => {
    const consent = consents.get(emailSubject(email)) ?? noConsent
    const records = blockedByEmail.get(emailSubject(email)) ?? []
    const status = strictestEmailStatus([emailStatusOf(consent), ...records.map(({ email_status }) => email_status)])
    if (isOptOut(status) || (channel === 'survey' && consent.reasons.survey))
      return { allowed: false, code: 'opted_out' }
    if (status === 'bounced') return { allowed: false, code: 'bounced' }
    if (isRestricted(consent) || records.some(({ processing_restricted }) => processing_restricted))
      return { allowed: false, code: 'processing_restricted' }
    return settings.mode === 'opt_in' && status !== 'subscribed'
      ? { allowed: false, code: 'not_opted_in' }
      : { allowed: true }
  }
  return new Map(emails.map((email) => [email, decide(email)]))
}

export async function filterOptedOut(
  tx: TenantTx,
  services: ConsentServices,
  kind: PersonKind,
  ids: readonly string[],
): Promise<Set<string>> {
  const people = await listPersonEmails(tx, kind, ids)
  const emails = people.flatMap(({ email_key }) => email_key ?? [])
  const permissions = await findContactPermissions(tx, services, emails, { channel: 'email' })
  const isOut = (email: string | null) => {
    const permission = permissions.get(email ?? '')
    return permission?.allowed === false && permission.code === 'opted_out'
  }
  const optedOut = people.filter(({ email_key, email_status }) => isOptOut(email_status) || isOut(email_key))
  return new Set(optedOut.map(({ id }) => id))
}
