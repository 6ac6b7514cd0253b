import { escapeHtml } from '#platform/html'
import type { Mail } from '#platform/mail'
import type { EmailContent } from './email-kind.ts'

export type EmailSender = {
  workspaceName: string
  fromName: string | null
  replyTo: string | null
  postalAddress: string | null
}

type Recipient = { to_address: string; to_name: string | null }
type Envelope = { messageId: string; unsubscribeUrl: string }

const maxSubjectLength = 500

export const toSingleLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

export function completeContent(
  { subject, text, html, ...envelope }: EmailContent,
  { workspaceName, postalAddress }: EmailSender,
  unsubscribeUrl: string,
): EmailContent {
  const address = postalAddress && !text.includes(postalAddress) ? [workspaceName, postalAddress] : []
  const link = text.includes(unsubscribeUrl) ? [] : [`Unsubscribe: ${unsubscribeUrl}`]
  const footer = [...address, ...link]
  return {
    ...envelope,
    subject: toSingleLine(subject).slice(0, maxSubjectLength),
    text: footer.length ? `${text.trimEnd()}\n\n-- \n${footer.join('\n')}\n` : text,
    ...(html !== undefined && { html: completeHtml(html, { workspaceName, postalAddress }, unsubscribeUrl) }),
  }
}

type HtmlSender = Pick<EmailSender, 'workspaceName' | 'postalAddress'>

function completeHtml(html: string, { workspaceName, postalAddress }: HtmlSender, unsubscribeUrl: string): string {
  const address = postalAddress && withLineBreaks(postalAddress)
  const lines = [
    ...(address && !html.includes(address) ? [escapeHtml(workspaceName), address] : []),
    ...(html.includes(escapeHtml(unsubscribeUrl)) ? [] : [`<a href="${escapeHtml(unsubscribeUrl)}">Unsubscribe</a>`]),
  ]
  if (!lines.length) return html
  const footer = `<p style="margin:24px 0 0;font-size:13px;color:#5b6270">${lines.join('<br>')}</p>`
  const end = html.toLowerCase().lastIndexOf('</body>')
  return end < 0 ? `${html}\n${footer}\n` : `${html.slice(0, end)}${footer}\n${html.slice(end)}`
}

const withLineBreaks = (text: string): string => escapeHtml(text).replace(/\r?\n/g, '<br>')

/** The headers let the recipient unsubscribe with one click in the email program (RFC 8058). */
export const toMail = (
  { to_address, to_name }: Recipient,
  { subject, text, html, fromName, replyTo, inReplyTo }: EmailContent,
  sender: EmailSender,
  { messageId, unsubscribeUrl }: Envelope,
): Mail => {
  const replyAddress = replyTo ?? sender.replyTo
  return {
    to: { name: to_name === null ? null : toSingleLine(to_name), address: to_address },
    fromName: toSingleLine(fromName ?? sender.fromName ?? sender.workspaceName),
    ...(replyAddress !== null && { replyTo: { name: null, address: replyAddress } }),
    subject,
    text,
    html,
    messageId,
    headers: {
      'List-Unsubscribe': [`<${unsubscribeUrl}>`, ...toUnsubscribeMail(sender.replyTo)].join(', '),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      ...(inReplyTo && { 'In-Reply-To': inReplyTo, References: inReplyTo }),
    },
  }
}

/** The subject of an email that unsubscribes, which the mail provider reports as a reply. */
export const unsubscribeSubject = 'unsubscribe'

const toUnsubscribeMail = (address: string | null): string[] =>
  address === null ? [] : [`<mailto:${encodeURI(address).replaceAll('?', '%3F')}?subject=${unsubscribeSubject}>`]

export function maskEmailAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address][0]}***${address.slice(at)}`
}
