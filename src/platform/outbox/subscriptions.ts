import type { Actor } from '#platform/access'
import { createInstanceState, type InstanceMember, type SystemTx, type TenantTx } from '#platform/db'
import { type DomainEvent, type EventDataOf, listDefinedEvents } from './event.ts'

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
