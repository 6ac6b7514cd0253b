import type { Scope, UserActor } from '#platform/access'
import type { RecentActivity } from '#platform/audit'
import { findDefinedEvent } from '#platform/outbox'
import { canSeePrivateFields } from '../user-records/users.rules.ts'
import type { Profile } from './profile.schemas.ts'

const maxEntriesShown = 20
const bookParts = ['leads', 'contacts', 'accounts', 'opportunities', 'campaigns', 'rooms'] as const

export function toProfileParts(
  parts: Record<string, unknown>,
): Pick<Profile, 'book' | 'enablement' | 'concentration_rate'> {
  const part = (name: string) => parts[name] ?? null
  return {
    book: Object.fromEntries(bookParts.map((name) => [name, part(name)])),
    enablement: part('enablement'),
    concentration_rate: part('concentration_rate'),
  } as Pick<Profile, 'book' | 'enablement' | 'concentration_rate'>
}

/** The user and admins see everything; other viewers and API keys need the read scope of the resource and see no personal events. */
export function filterVisibleActivity(viewer: UserActor, userId: string, entries: RecentActivity[]): RecentActivity[] {
  if (canSeePrivateFields(viewer, userId) && viewer.type !== 'api_key') return entries.slice(0, maxEntriesShown)
  const canSee = ({ action }: RecentActivity) => {
    const event = findDefinedEvent(action)
    return event !== undefined && !event.isPersonal && viewer.scopes.has(`${event.resource}.read` as Scope)
  }
  return entries.filter(canSee).slice(0, maxEntriesShown)
}
