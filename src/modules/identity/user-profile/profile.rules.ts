import type { Scope, UserActor } from '#platform/access'
import type { RecentActivity } from '#platform/audit'
import { listDefinedEvents, subjectTypeOf } from '#platform/outbox'
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

type ShownActivity = { userId: string; entries: RecentActivity[]; presenters: readonly { subjectType: string }[] }

/**
 * The user and admins see everything. Other viewers and API keys need the read scope of the resource, and its records must be
 * visible to all of its readers, which is so if they are presented in events.
 */
export function filterVisibleActivity(
  viewer: UserActor,
  { userId, entries, presenters }: ShownActivity,
): RecentActivity[] {
  if (canSeePrivateFields(viewer, userId) && viewer.type !== 'api_key') return entries.slice(0, maxEntriesShown)
  const presented = new Set(presenters.map(({ subjectType }) => subjectType))
  const events = listDefinedEvents().filter((event) => presented.has(subjectTypeOf(event)))
  const resources = new Map(events.map(({ type, resource }) => [type, resource]))
  const canSee = ({ action }: RecentActivity) => {
    const resource = resources.get(action)
    return resource !== undefined && viewer.scopes.has(`${resource}.read` as Scope)
  }
  return entries.filter(canSee).slice(0, maxEntriesShown)
}
