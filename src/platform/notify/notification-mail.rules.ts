import type { NotificationKind, NotificationText } from './notification.ts'

const maxListed = 20

type MailText = { title: string; paragraphs: string[]; action?: { label: string; path: string }; footer: string }

/** One mail for one or for several of the same kind. */
export function mailTextOf(kind: NotificationKind, texts: NotificationText[]): MailText {
  const newest = texts.at(-1)!
  const others = texts.length - 1
  const more = texts.length - maxListed
  return {
    title: oneLine(others ? `${newest.title} (and ${others} more)` : newest.title),
    paragraphs: [
      ...texts.slice(-maxListed).map(({ body }) => body),
      ...(more > 0 ? [`There are ${more} more; you find them in the app.`] : []),
    ],
    ...(newest.path && { action: { label: 'Open', path: newest.path } }),
    footer: kind.canBeSwitchedOff
      ? `You get this because it concerns you: ${kind.description}. You can switch it off in your profile.`
      : `You get this because it concerns the safety of your account: ${kind.description}.`,
  }
}

/** A title may hold what somebody typed; a subject is one line. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 200)
