import type { Schemas } from '../../../api/client.ts'

type ConsentChange = Schemas['ConsentUpdate']
type Consent = Schemas['PersonConsent']

export const noChange = ''

/** The values of the form. A state without a value stays as it is. */
export const noConsentChange = {
  email_status: noChange,
  call_status: noChange,
  processing: noChange,
  basis: 'consent',
  source: '',
  evidence: '',
}

/** The states that a user can record. Only managers and admins can reset an address that has bounced. */
export function listEmailChoices(current: Consent['email']['status'], isManager: boolean) {
  const states = ['subscribed', 'unsubscribed'] as const
  const others = states.filter((state) => state !== current)
  return current === 'bounced' && isManager ? [...others, 'unknown' as const] : others
}

export const listPhoneChoices = (current: Consent['phone']['status']) =>
  (['allowed', 'do_not_call'] as const).filter((state) => state !== current)

/** The request of the API; undefined as long as nothing would change or the source is missing. */
export function toConsentChange(values: typeof noConsentChange): ConsentChange | undefined {
  const { email_status, call_status, processing, basis, source, evidence } = values
  if ([email_status, call_status, processing].every((value) => value === noChange) || source.trim() === '')
    return undefined
  return {
    ...(email_status && { email_status: email_status as ConsentChange['email_status'] }),
    ...(call_status && { call_status: call_status as ConsentChange['call_status'] }),
    ...(processing && { processing_restricted: processing === 'restricted' }),
    basis: basis as ConsentChange['basis'],
    source: source.trim(),
    ...(evidence.trim() && { evidence: evidence.trim() }),
  }
}
