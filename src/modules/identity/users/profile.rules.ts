import type { Scope, SignedIn } from '#platform/access'
import type { Activity } from '#platform/audit'
import { definedEvents } from '#platform/outbox'
import type { Profile } from './profile.schemas.ts'
import { canSeePrivateFields } from './users.rules.ts'

const shown = 20
const bookParts = ['leads', 'contacts', 'accounts', 'opportunities', 'campaigns', 'rooms'] as const

/** Every part has its place; whatever no module gave, or the viewer may not see, is null. */
export function arrangeParts(
  parts: Record<string, unknown>,
): Pick<Profile, 'book' | 'enablement' | 'concentration_rate'> {
  const part = (name: string) => parts[name] ?? null
  return {
    book: Object.fromEntries(bookParts.map((name) => [name, part(name)])),
    enablement: part('enablement'),
    concentration_rate: part('concentration_rate'),
  } as Pick<Profile, 'book' | 'enablement' | 'concentration_rate'>
}

/** What a colleague did is told to whoever may read that kind of record; the person and admins see all of it. */
export function visibleActivity(viewer: SignedIn, userId: string, entries: Activity[]): Activity[] {
  if (canSeePrivateFields(viewer, userId) && viewer.type !== 'api_key') return entries.slice(0, shown)
  const resources = new Map(definedEvents().map(({ type, resource }) => [type, resource]))
  const maySee = ({ action }: Activity) => {
    const resource = resources.get(action)
    return resource !== undefined && viewer.scopes.has(`${resource}.read` as Scope)
  }
  return entries.filter(maySee).slice(0, shown)
}
