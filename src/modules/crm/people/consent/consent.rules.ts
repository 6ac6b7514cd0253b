export type Channel = 'email' | 'survey' | 'phone'
export type ConsentChannel = Channel | 'processing'
export type SuppressionReason = 'unsubscribed' | 'complained' | 'bounced' | 'erased' | 'manual' | 'listed'
export type EmailStatus = 'unknown' | 'subscribed' | 'unsubscribed' | 'bounced' | 'complained'
export type CallStatus = 'allowed' | 'do_not_call'

/** In ascending order of strictness; `unknown` means that the address has neither opted in nor out. */
export const emailStatuses: readonly EmailStatus[] = ['unknown', 'subscribed', 'bounced', 'unsubscribed', 'complained']
const reasons: readonly SuppressionReason[] = ['bounced', 'listed', 'manual', 'unsubscribed', 'erased', 'complained']

export const strictestEmailStatus = (statuses: readonly string[]): EmailStatus =>
  emailStatuses.findLast((status) => statuses.includes(status)) ?? 'unknown'

export const isStricterStatus = (status: string, than: string): boolean =>
  status !== than && strictestEmailStatus([status, than]) === status

export const isStricterReason = (reason: SuppressionReason, than: SuppressionReason | undefined): boolean =>
  than === undefined || reasons.indexOf(reason) > reasons.indexOf(than)

export const isOptOut = (emailStatus: string): boolean => ['unsubscribed', 'complained'].includes(emailStatus)

export type SubjectConsent = {
  reasons: Partial<Record<Channel, SuppressionReason>>
  latest: Partial<Record<ConsentChannel, ConsentState>>
}
export type ConsentState = {
  from_status: string
  to_status: string
  basis: string
  source: string
  at: Date
  created_at: Date
}

export const noConsent: SubjectConsent = { reasons: {}, latest: {} }

export function emailStatusFor(reason: SuppressionReason): EmailStatus {
  return reason === 'bounced' || reason === 'complained' ? reason : 'unsubscribed'
}

export function statusOf(channel: ConsentChannel, { reasons, latest }: SubjectConsent): string {
  if (channel === 'processing') return latest.processing?.to_status ?? 'unrestricted'
  const reason = reasons[channel]
  if (channel === 'phone') return reason ? 'do_not_call' : 'allowed'
  if (reason) return emailStatusFor(reason)
  return channel === 'email' && latest.email?.to_status === 'subscribed' ? 'subscribed' : 'unknown'
}

const inheritedPrefix = 'merge '
export const mergeSourceOf = (mergeId: string): string => `${inheritedPrefix}${mergeId}`

/** Inherited consent ends when the merge is undone, so an opt-out of the address itself has to be recorded although nothing changes. */
export const isInherited = ({ latest }: SubjectConsent, channel: ConsentChannel): boolean =>
  latest[channel]?.source.startsWith(inheritedPrefix) ?? false

export const emailStatusOf = (consent: SubjectConsent) => statusOf('email', consent) as EmailStatus
export const callStatusOf = (consent: SubjectConsent) => statusOf('phone', consent) as CallStatus
export const isRestricted = (consent: SubjectConsent): boolean => statusOf('processing', consent) === 'restricted'

export type RecordConsent = { email_status: string; call_status: string; processing_restricted: boolean }
export type Consent = RecordConsent & { email_key: string | null }

type Subjects = { email: SubjectConsent; phone: SubjectConsent }

/** Opt-outs that the record took over in a merge stay until the consent of its address changes after `since`. */
export function deriveRecordConsent({ email, phone }: Subjects, record: RecordConsent, since: Date): RecordConsent {
  const isNewer = (state: ConsentState | undefined) => state !== undefined && state.created_at > since
  const ownOptOut = isOptOut(record.email_status) && !isNewer(email.latest.email) ? [record.email_status] : []
  const staysUncallable = record.call_status === 'do_not_call' && !isNewer(phone.latest.phone)
  const staysRestricted = record.processing_restricted && !isNewer(email.latest.processing)
  return {
    email_status: strictestEmailStatus([emailStatusOf(email), ...ownOptOut]),
    call_status: staysUncallable ? 'do_not_call' : callStatusOf(phone),
    processing_restricted: staysRestricted || isRestricted(email),
  }
}

type StatusChange = { from: string; to: string }

/** Only an opt-in replaces the status of a record that is stricter than both statuses of its address. */
export function projectEmailStatus(recordStatus: string, { from, to }: StatusChange): string {
  if (to === 'subscribed') return to
  return isStricterStatus(recordStatus, strictestEmailStatus([from, to])) ? recordStatus : to
}

export const outdatedEmailStatuses = (change: StatusChange): EmailStatus[] =>
  emailStatuses.filter((status) => projectEmailStatus(status, change) !== status)

/** Merges the consent of several records of a person. Opt-outs belong to the person, opt-ins and bounces to the email address. */
export function mergeConsent(emailSource: Pick<Consent, 'email_key'>, all: readonly Consent[]): RecordConsent {
  const relevant = all.filter(
    ({ email_key, email_status }) => email_key === emailSource.email_key || isOptOut(email_status),
  )
  return {
    email_status: strictestEmailStatus(relevant.map(({ email_status }) => email_status)),
    call_status: all.some(({ call_status }) => call_status === 'do_not_call') ? 'do_not_call' : 'allowed',
    processing_restricted: all.some(({ processing_restricted }) => processing_restricted),
  }
}
