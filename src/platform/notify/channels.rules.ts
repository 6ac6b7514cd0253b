import type { Addressee } from './address-book.ts'
import type { Channels, NotificationKind } from './notification.ts'

type Reach = Pick<NotificationKind, 'kind' | 'channels' | 'canBeSwitchedOff'>

/** How somebody is told, if at all. */
export function channelsFor({ kind, channels, canBeSwitchedOff }: Reach, person: Addressee | undefined): Channels {
  if (!person?.isActive) return { in_app: false, email: false }
  return canBeSwitchedOff ? { ...channels, ...person.preferences[kind] } : channels
}
