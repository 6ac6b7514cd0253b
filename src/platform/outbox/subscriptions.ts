import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Actor, Resource } from '#platform/access'
import { createInstanceState, type InstanceMember, type SystemTx, type TenantTx } from '#platform/db'

declare const defined: unique symbol

/** Definition of a domain event. Only `defineEvent` can create one, so only registered events can be emitted. */
export type DomainEvent<S extends TSchema = TSchema> = {
  readonly type: string
  readonly resource: Resource
  readonly description: string
  readonly isPersonal?: true
  readonly data: S
  readonly [defined]: true
}

type Serialized<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Serialized<Item>[]
    : T extends object
      ? { [Key in keyof T]: Serialized<T[Key]> }
      : T

export type EventDataOf<E> = E extends DomainEvent<infer S> ? Serialized<Static<S>> : never

/** `isPersonal` keeps the event out of the activity that colleagues see in the profile of a user. */
type EventDefinition<S extends TSchema> = { resource: Resource; description: string; isPersonal?: true; data: S }

const registry = new Map<string, DomainEvent>()
const checks = new Map<string, (data: unknown) => boolean>()

/** Defines an event. `type` is `{resource}.{past_tense_verb}`; `resource` is the access resource that may read it. */
export function defineEvent<S extends TSchema>(type: string, definition: EventDefinition<S>): DomainEvent<S> {
  if (!/^[a-z_]+\.[a-z_]+$/.test(type)) throw new Error(`Invalid event type ${type}: use {resource}.{past_tense_verb}.`)
  if (registry.has(type)) throw new Error(`The event ${type} is already defined.`)
  const event = Object.freeze({ type, ...definition }) as DomainEvent<S>
  registry.set(type, event)
  return event
}

export const findDefinedEvent = (type: string): DomainEvent | undefined => registry.get(type)

export const listDefinedEvents = (): DomainEvent[] =>
  [...registry.values()].sort((left, right) => (left.type < right.type ? -1 : 1))

export const subjectTypeOf = ({ type }: DomainEvent): string => type.slice(0, type.indexOf('.'))

export function assertValidEvent(event: DomainEvent, data: unknown): void {
  if (registry.get(event.type) !== event) throw new Error(`The event ${event.type} is not defined.`)
  const check = checks.get(event.type) ?? compileCheck(event)
  if (!check(data)) throw new Error(`The data of ${event.type} does not match its schema.`)
}

/** Compiles on first use, because most processes emit few of the defined events. */
function compileCheck({ type, data }: DomainEvent): (data: unknown) => boolean {
  const compiled = Compile(data)
  const check = (value: unknown) => compiled.Check(value)
  checks.set(type, check)
  return check
}

export type EventActor = { type: Actor['type']; id: string | null; actor_user_id?: string }

export type EventEnvelope<Data = unknown> = {
  id: string
  type: string
  subject: { type: string; id: string; version: number | null }
  actor: EventActor
  /** Subscribers must not notify anyone about sample data. */
  origin: Actor['origin']
  data: Data
  /** The data was too large to store; it contains only the `id`, and the subscriber must read the record. */
  isTruncated: boolean
  occurred_at: Date
}

type EventHandler = (tx: TenantTx, event: EventEnvelope<never>) => Promise<unknown>
type EventsHandler = (tx: TenantTx, events: EventEnvelope<never>[]) => Promise<unknown>

export type Subscription = {
  readonly consumer: string
  readonly types: ReadonlySet<string>
  readonly isInTransaction: boolean
  /** Gets only the events of tenants that opted in (`setConsumerOptIn`). */
  readonly isOptIn?: true
  readonly handle: EventHandler
  readonly handleAll?: EventsHandler
}

/** Runs `handle` once per event after the commit; with `inTransaction` in the emitting transaction, which it can abort. */
export function subscribe<E extends DomainEvent>(
  events: E | readonly E[],
  consumer: string,
  handle: (tx: TenantTx, event: EventEnvelope<EventDataOf<E>>) => Promise<unknown>,
  { inTransaction = false }: { inTransaction?: boolean } = {},
): Subscription {
  const list = Array.isArray(events) ? (events as readonly E[]) : [events as E]
  return { consumer, types: new Set(list.map(({ type }) => type)), isInTransaction: inTransaction, handle }
}

/** Runs `handleAll` in the emitting transaction, once for all events that it emits together. */
export function subscribeInTransaction<E extends DomainEvent>(
  event: E,
  consumer: string,
  handleAll: (tx: TenantTx, events: EventEnvelope<EventDataOf<E>>[]) => Promise<unknown>,
): Subscription {
  const handle = (tx: TenantTx, one: EventEnvelope<EventDataOf<E>>) => handleAll(tx, [one])
  return { ...subscribe(event, consumer, handle, { inTransaction: true }), handleAll: handleAll as EventsHandler }
}

/** Runs `handleAll` after the commit with several events at once, for tenants that opted in. */
export function subscribeOptIn(
  events: readonly DomainEvent[],
  consumer: string,
  handleAll: (tx: TenantTx, events: EventEnvelope[]) => Promise<unknown>,
): Subscription {
  const handle = (tx: TenantTx, event: EventEnvelope) => handleAll(tx, [event])
  return { ...subscribe(events, consumer, handle), isOptIn: true, handleAll }
}

/** Runs `handleAll` after the commit with events of all types, several at once, for tenants that opted in. */
export const subscribeToAll = (
  consumer: string,
  handleAll: (tx: TenantTx, events: EventEnvelope[]) => Promise<unknown>,
): Subscription => ({
  consumer,
  isInTransaction: false,
  isOptIn: true,
  // Read when needed, because modules that are loaded later define events too.
  get types() {
    return new Set(listDefinedEvents().map(({ type }) => type))
  },
  handle: (tx, event) => handleAll(tx, [event]),
  handleAll,
})

type Subscriptions = {
  byConsumer: ReadonlyMap<string, Subscription>
  inTransactionByType: ReadonlyMap<string, Subscription[]>
  async: readonly Subscription[]
}

const registered = createInstanceState<Subscriptions>('list of event subscriptions')

/** Sets the subscriptions of the application that `db` belongs to. */
export function registerSubscriptions(db: InstanceMember, subscriptions: readonly Subscription[]): void {
  const byConsumer = new Map(subscriptions.map((subscription) => [subscription.consumer, subscription]))
  if (byConsumer.size < subscriptions.length) throw new Error('Two event consumers must not have the same name.')
  registered.attach(db, {
    byConsumer,
    inTransactionByType: groupByType(subscriptions.filter(({ isInTransaction }) => isInTransaction)),
    async: subscriptions.filter(({ isInTransaction }) => !isInTransaction),
  })
}

/** Returns none if none are registered: operator commands emit events without the subscriptions of the modules. */
export const listInTransactionSubscriptions = (tx: TenantTx, type: string): Subscription[] =>
  registered.find(tx)?.inTransactionByType.get(type) ?? []

/** Throws if none are registered: a worker would relay events without consumers. */
export const listAsyncSubscriptions = (tx: SystemTx): readonly Subscription[] => registered.get(tx).async

export const findSubscription = (tx: TenantTx, consumer: string): Subscription | undefined =>
  registered.get(tx).byConsumer.get(consumer)

/** Consumers that take several events at once after the commit. */
export const listBatchConsumers = (tx: SystemTx): Set<string> => {
  const batched = registered.find(tx)?.async.filter(({ handleAll }) => handleAll) ?? []
  return new Set(batched.map(({ consumer }) => consumer))
}

function groupByType(subscriptions: Subscription[]): Map<string, Subscription[]> {
  const grouped = new Map<string, Subscription[]>()
  for (const subscription of subscriptions)
    for (const type of subscription.types) grouped.set(type, [...(grouped.get(type) ?? []), subscription])
  return grouped
}
