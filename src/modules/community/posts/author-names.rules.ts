import type { UserCard } from '#modules/identity'
import type { RoomSettings } from '../rooms/room-access.rules.ts'

export const formerMember = 'Former member'
const hiddenMember = 'Member'

/** Erased users keep their posts without a name; deactivated ones stay named. */
export const memberName = (user: Pick<UserCard, 'name' | 'status'> | undefined): string =>
  user === undefined || user.status === 'erased' ? formerMember : user.name

export function publicName(
  user: Pick<UserCard, 'name' | 'status'> | undefined,
  names: RoomSettings['public_author_names'],
): string {
  const name = memberName(user)
  if (name === formerMember || names === 'full') return name
  return names === 'hidden' ? hiddenMember : firstNameOf(name)
}

const firstNameOf = (name: string): string => name.split(/\s+/)[0] ?? name
