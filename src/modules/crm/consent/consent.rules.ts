/** In ascending order of strictness; `unknown` means that the address has neither opted in nor out. */
const emailStatuses = ['unknown', 'subscribed', 'bounced', 'unsubscribed', 'complained']

export const strictestEmailStatus = (statuses: readonly string[]): string =>
  emailStatuses.findLast((status) => statuses.includes(status)) ?? 'unknown'

export const isOptOut = (emailStatus: string): boolean => ['unsubscribed', 'complained'].includes(emailStatus)

export type Consent = {
  email_key: string | null
  email_status: string
  call_status: string
  processing_restricted: boolean
}

/** Merges the consent of several records of a person. Opt-outs belong to the person, opt-ins and bounces to the email address. */
export function mergeConsent(emailSource: Consent, all: readonly Consent[]): Omit<Consent, 'email_key'> {
  const relevant = all.filter(
    ({ email_key, email_status }) => email_key === emailSource.email_key || isOptOut(email_status),
  )
  return {
    email_status: strictestEmailStatus(relevant.map(({ email_status }) => email_status)),
    call_status: all.some(({ call_status }) => call_status === 'do_not_call') ? 'do_not_call' : 'allowed',
    processing_restricted: all.some(({ processing_restricted }) => processing_restricted),
  }
}
