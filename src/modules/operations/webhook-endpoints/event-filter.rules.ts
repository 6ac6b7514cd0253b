import {
  type Resource,
  type Role,
  resources,
  type Scope,
  scopesOfRole,
  seesAllRecords,
  type UserActor,
} from '#platform/access'
import { invalidInput, roleRequired, scopeRequired } from '#platform/errors'
import { type DomainEvent, findDefinedEvent, listDefinedEvents } from '#platform/outbox'

type EventType = Pick<DomainEvent, 'type' | 'resource'>
export type EventFilter = { event_types: readonly string[]; excluded_resources: readonly string[] }

const adminResources: readonly Resource[] = ['admin', 'users']

const matchesPattern = (type: string, pattern: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

const matchesFilter = ({ event_types, excluded_resources }: EventFilter, { type, resource }: EventType) =>
  !excluded_resources.includes(resource) && event_types.some((pattern) => matchesPattern(type, pattern))

/** Types that no longer exist do not match. */
export function matchesType(filter: EventFilter, type: string): boolean {
  const event = findDefinedEvent(type)
  return event !== undefined && matchesFilter(filter, event)
}

export function assertKnownEventTypes(patterns: readonly string[]): void {
  const events = listDefinedEvents()
  const unknown = patterns.flatMap((pattern, index) =>
    events.some(({ type }) => matchesPattern(type, pattern))
      ? []
      : [
          {
            in: 'body' as const,
            path: `/event_types/${index}`,
            code: 'unknown_event_type',
            message: '`event_types` must contain types of `GET /api/webhooks/event-types`, `lead.*` or `*`.',
          },
        ],
  )
  if (unknown.length) throw invalidInput(unknown)
}

/** Events contain records, so a caller can only subscribe to what the caller may read. */
export const excludedResourcesOf = (actor: UserActor): Resource[] =>
  resources.filter((resource) => !mayReceive(actor, resource))

const readScopeOf = (resource: Resource): Scope => `${resource}.read`

const mayReceive = ({ role, scopes }: Pick<UserActor, 'role' | 'scopes'>, resource: Resource): boolean =>
  resource === 'webhooks' ||
  (scopes.has(readScopeOf(resource)) &&
    seesAllRecords(role, resource) &&
    (role === 'admin' || !adminResources.includes(resource)))

/**
 * Whether the owner of an endpoint may receive an event now. A type that this version does not know was checked by the
 * newer one that created the delivery.
 */
export function mayRoleReceive(role: Role, type: string): boolean {
  const event = findDefinedEvent(type)
  return event === undefined || mayReceive({ role, scopes: scopesOfRole(role) }, event.resource)
}

/** Checks the types that are named without a wildcard. */
export function assertMaySubscribe(actor: UserActor, patterns: readonly string[]): void {
  const names = new Set(patterns)
  assertMayReceive(
    actor,
    listDefinedEvents().filter(({ type }) => names.has(type)),
  )
}

/** Checks all events of an endpoint before the caller can redirect them or read its secret. */
export const assertMayTakeOver = (actor: UserActor, endpoint: EventFilter): void =>
  assertMayReceive(
    actor,
    listDefinedEvents().filter((event) => matchesFilter(endpoint, event)),
  )

function assertMayReceive(actor: UserActor, events: readonly EventType[]): void {
  const refused = events.find(({ resource }) => !mayReceive(actor, resource))
  if (!refused) return
  if (adminResources.includes(refused.resource) && actor.role !== 'admin')
    throw roleRequired(`Only admins can receive events such as \`${refused.type}\`.`)
  throw scopeRequired(readScopeOf(refused.resource))
}

/** Whether the caller may read the data of an event. Types that no longer exist are readable for admins only. */
export function mayReadEvent(actor: UserActor, type: string): boolean {
  const event = findDefinedEvent(type)
  if (!event) return actor.role === 'admin'
  return actor.scopes.has(readScopeOf(event.resource)) && seesAllRecords(actor.role, event.resource)
}
