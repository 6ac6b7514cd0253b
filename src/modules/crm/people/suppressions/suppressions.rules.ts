import { conflict, invalid } from '#platform/errors'
import { emailStatusFor, type SuppressionReason } from '../consent/consent.rules.ts'
import type { OptedOutContacts } from './suppressions.schemas.ts'

export const defaultSource = 'suppression list'
export const defaultOptOutSource = 'bulk opt-out'
export const maxUploadedRows = 50_000

type StoredSuppression = { reason: string; channel: string; subject: string | null }

/** Keeps what a person said, which only a proof of consent replaces. */
export function assertRemovable({ reason, channel, subject }: StoredSuppression): void {
  const isOwnEntry = channel === 'email' && ['listed', 'bounced'].includes(reason)
  if (isOwnEntry && subject !== null) return
  throw conflict(
    'invalid_transition',
    'Only addresses that were listed by the workspace or that bounced can be removed. Update the consent of the lead or contact instead.',
    { from: emailStatusFor(reason as SuppressionReason), to: 'unknown' },
  )
}

type ContactOutcome = OptedOutContacts['results'][number]

export function toContactOutcome(
  contact_id: string,
  contact: { email_key: string | null } | undefined,
  optedOut: ReadonlySet<string>,
): ContactOutcome {
  const fail = (code: string, message: string): ContactOutcome => ({ contact_id, outcome: 'failed', code, message })
  if (!contact) return fail('not_found', 'There is no contact with this id.')
  if (contact.email_key === null) return fail('no_email', 'The contact has no email address.')
  return { contact_id, outcome: optedOut.has(contact.email_key) ? 'ok' : 'unchanged', code: null, message: null }
}

const emailPattern = /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>().]+$/

/** Accepts what can be an address of a record. */
export const isEmailAddress = (text: string): boolean => text.length <= 254 && emailPattern.test(text)

export type RowFailure = { code: string; message: string; rows: number[] }

const maxListedRows = 1_000

/** `invalid` counts all rows that failed; `failures` lists the first 1,000. */
export function toInvalidRows(rows: readonly number[]): { invalid: number; failures: RowFailure[] } {
  const message = 'The row has no valid email address.'
  const failure = { code: 'not_an_email', message, rows: rows.slice(0, maxListedRows) }
  return { invalid: rows.length, failures: rows.length ? [failure] : [] }
}

export const emptyUpload = () =>
  invalid('body', '/csv', 'no_addresses', '`csv` must contain at least one email address.')
export const tooLargeUpload = () =>
  invalid('body', '/csv', 'too_many', `\`csv\` must not contain more than ${maxUploadedRows} rows.`)
