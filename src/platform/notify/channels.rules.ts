import type { Channels, NotificationKind, Recipient } from './notification.ts'

export function channelsFor(
  { kind, channels, canBeDisabled }: Pick<NotificationKind, 'kind' | 'channels' | 'canBeDisabled'>,
  recipient: Recipient | undefined,
): Channels {
  if (!recipient?.isActive) return { in_app: false, email: false }
  return canBeDisabled ? { ...channels, ...recipient.preferences[kind] } : channels
}
