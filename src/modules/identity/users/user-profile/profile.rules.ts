import { type Scope, seesAllRecords, type UserActor } from '#platform/access'
import type { RecentActivity } from '#platform/audit'
import { findDefinedEvent } from '#platform/outbox'
import { canSeePrivateFields } from '../../workspace/user-records/users.rules.ts'
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

/**
 * The user and admins see everything; other viewers and API keys need the read scope of the resource and see no personal events, and
 * no name of a record that may be hidden from them.
 */
export function filterVisibleActivity(viewer: UserActor, userId: string, entries: RecentActivity[]): RecentActivity[] {
  if (canSeePrivateFields(viewer, userId) && viewer.type !== 'api_key') return entries.slice(0, maxEntriesShown)
  const present = (entry: RecentActivity): RecentActivity[] => {
    const event = findDefinedEvent(entry.action)
    if (!event || event.isPersonal || !viewer.scopes.has(`${event.resource}.read` as Scope)) return []
    return [seesAllRecords(viewer.role, event.resource) ? entry : { ...entry, resource_label: null }]
  }
  return entries.flatMap(present).slice(0, maxEntriesShown)
}
