import { MailError } from './mail-error.ts'

export type MailAddress = { name: string | null; address: string }

export type Mail = {
  to: MailAddress
  subject: string
  text: string
  html?: string
  fromName?: string | null
  replyTo?: MailAddress
  /** Includes the angle brackets. Retries must reuse it so that receivers can deduplicate. */
  messageId?: string
  headers?: Record<string, string>
}

/** Characters that could inject a header, a recipient or an SMTP command. */
const controlCharacter = /\p{Cc}|\u2028|\u2029/u
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/
const messageIdPattern = /^<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+>$/
const allowedHeader =
  /^(List-[A-Za-z-]+|In-Reply-To|References|Auto-Submitted|Precedence|Feedback-ID|X-[A-Za-z0-9-]+)$/i

export function assertSendable({ to, subject, fromName, replyTo, messageId, headers = {} }: Mail): void {
  assertAddress(to, 'recipient')
  if (replyTo) assertAddress(replyTo, 'reply address')
  assertSingleLine(subject, 'subject')
  assertSingleLine(fromName ?? '', 'name of the sender')
  if (messageId !== undefined && !(messageId.length <= 250 && messageIdPattern.test(messageId)))
    throw permanentError('The message id is not valid.')
  for (const [name, value] of Object.entries(headers)) {
    if (!allowedHeader.test(name)) throw permanentError('The mail sets a header that is not allowed.')
    assertSingleLine(value, `header ${name}`)
  }
}

export function isEmailAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  if (address.length > 254 || at < 1 || at > 64) return false
  return localPart.test(address.slice(0, at)) && domain.test(address.slice(at + 1))
}

function assertAddress({ name, address }: MailAddress, field: string): void {
  assertSingleLine(name ?? '', `name of the ${field}`)
  if (typeof address !== 'string' || !isEmailAddress(address))
    throw permanentError(`The ${field} does not have a valid email address.`)
}

function assertSingleLine(value: string, field: string): void {
  if (typeof value !== 'string' || controlCharacter.test(value))
    throw permanentError(`The ${field} must be one line of text without control characters.`)
}

const permanentError = (message: string) => new MailError(message, { isPermanent: true })

export type MailLink = { label: string; url: string }

/** Numbers that open a form. A link only fills in a number, because mail scanners open links too. */
export type MailScores = {
  links: readonly (MailLink & { description: string })[]
  low: string | null
  high: string | null
  note: string | null
}

/** A name and its value, such as a device and its IP address, in a small table. */
export type MailFact = { label: string; value: string }

export type MailContent = {
  workspace: { name: string; branding?: { primary_color?: string | null; email_footer?: string | null } }
  /** BCP 47 language tag of the texts; otherwise English. */
  language?: string
  title: string
  /** Shown by email programs next to the subject. */
  preview?: string
  paragraphs: string[]
  facts?: readonly MailFact[]
  scores?: MailScores
  action?: MailLink
  footer?: string
  footerLink?: MailLink
}
