import { conflict, invalid } from '#platform/errors'
import { emailStatusFor, type SuppressionReason } from '../consent/consent.rules.ts'

export const defaultSource = 'suppression list'
export const maxUploadedAddresses = 50_000

type StoredSuppression = { reason: string; channel: string; subject: string | null }

/** What a person said can only be replaced by a proof of consent. */
export function assertRemovable({ reason, channel, subject }: StoredSuppression): void {
  const isOwnEntry = channel === 'email' && ['listed', 'bounced'].includes(reason)
  if (isOwnEntry && subject !== null) return
  throw conflict(
    'invalid_transition',
    'Only addresses that were listed by the workspace or that bounced can be removed. Update the consent of the lead or contact instead.',
    { from: emailStatusFor(reason as SuppressionReason), to: 'unknown' },
  )
}

const emailPattern = /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>().]+$/

/** Accepts what can be an address of a record; other rows are counted as invalid. */
export const isEmailAddress = (text: string): boolean => text.length <= 254 && emailPattern.test(text)

export const emptyUpload = () =>
  invalid('body', '/csv', 'no_addresses', '`csv` must contain at least one email address.')
export const tooLargeUpload = () =>
  invalid('body', '/csv', 'too_many', `\`csv\` must not contain more than ${maxUploadedAddresses} email addresses.`)
