import type { MailFact } from '#platform/mail'
import type { NotificationKind, NotificationText } from './notification.ts'

const maxListed = 20

type EmailText = {
  title: string
  paragraphs: string[]
  facts: MailFact[]
  action?: { label: string; path: string }
  footer: string
}

export function formatNotificationEmail(kind: NotificationKind, texts: NotificationText[]): EmailText {
  const newest = texts.at(-1)!
  const others = texts.length - 1
  const unlisted = texts.length - maxListed
  const listed = texts.slice(-maxListed)
  const facts = others ? listed.flatMap(({ fact }) => fact ?? []) : []
  const showsFacts = others > 0 && facts.length === listed.length
  return {
    title: toSingleLine(others && !showsFacts ? `${newest.title} (and ${others} more)` : newest.title),
    paragraphs: [
      ...(showsFacts ? [] : listed.map(({ body }) => body)),
      ...(unlisted > 0 ? [`${unlisted} more notifications are available in the app.`] : []),
    ],
    facts: showsFacts ? facts : [],
    ...(newest.path && { action: { label: newest.action ?? 'Open', path: newest.path } }),
    footer: kind.canBeDisabled
      ? `You are receiving this email because of your notification settings: ${kind.description}. You can change them in your profile.`
      : `You are receiving this email because it concerns the security of your account: ${kind.description}.`,
  }
}

/** Titles may contain user input; line breaks in a subject would inject headers. */
const toSingleLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200)
