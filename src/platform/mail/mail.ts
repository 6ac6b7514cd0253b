import { MailRefused } from './mail-refused.ts'

export type MailAddress = { name: string | null; address: string }

export type Mail = {
  to: MailAddress
  subject: string
  text: string
  html?: string
  /** The name the mail comes from; the address is always MAIL_FROM. */
  fromName?: string | null
  replyTo?: MailAddress
  /** With angle brackets. The same mail sent again keeps its id, so that receivers can tell. */
  messageId?: string
  headers?: Record<string, string>
}

/** What could reach another header, another recipient or another SMTP command starts with one of these. */
const controlCharacter = /\p{Cc}|\u2028|\u2029/u
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const domain = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/
const messageIdPattern = /^<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+>$/
/** All others are ours to set. */
const openHeader = /^(List-[A-Za-z-]+|In-Reply-To|References|Auto-Submitted|Precedence|Feedback-ID|X-[A-Za-z0-9-]+)$/i

export function assertSendable({ to, subject, fromName, replyTo, messageId, headers = {} }: Mail): void {
  assertAddress(to, 'recipient')
  if (replyTo) assertAddress(replyTo, 'reply address')
  assertOneLine(subject, 'subject')
  assertOneLine(fromName ?? '', 'name of the sender')
  if (messageId !== undefined && !(messageId.length <= 250 && messageIdPattern.test(messageId)))
    throw unsendable('The message id is not valid.')
  for (const [name, value] of Object.entries(headers)) {
    if (!openHeader.test(name)) throw unsendable('The mail sets a header that is not open to it.')
    assertOneLine(value, `header ${name}`)
  }
}

export function isMailAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  if (address.length > 254 || at < 1 || at > 64) return false
  return localPart.test(address.slice(0, at)) && domain.test(address.slice(at + 1))
}

function assertAddress({ name, address }: MailAddress, what: string): void {
  assertOneLine(name ?? '', `name of the ${what}`)
  if (typeof address !== 'string' || !isMailAddress(address))
    throw unsendable(`The ${what} has no valid e-mail address.`)
}

function assertOneLine(value: string, what: string): void {
  if (typeof value !== 'string' || controlCharacter.test(value))
    throw unsendable(`The ${what} must be one line of text without control characters.`)
}

const unsendable = (message: string) => new MailRefused(message, { isPermanent: true })
