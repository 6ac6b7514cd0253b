import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { DataOf, DomainEvent } from './event.ts'

/** Who made it happen, as far as a consumer may know; with the admin behind an impersonation. */
export type EventActor = { type: Actor['type']; id: string | null; actor_user_id?: string }

/** An event as a consumer gets it. */
export type Happened<Data = unknown> = {
  id: string
  type: string
  subject: { type: string; id: string; version: number | null }
  actor: EventActor
  /** Consumers stay silent about sample data. */
  origin: Actor['origin']
  data: Data
  /** The data was too large to keep: only its `id` is left, and the record has to be read. */
  isTruncated: boolean
  occurred_at: Date
}

type Handle = (tx: TenantTx, event: Happened<never>) => Promise<unknown>

export type Subscription = {
  readonly consumer: string
  readonly types: ReadonlySet<string>
  readonly isInTransaction: boolean
  readonly handle: Handle
}

/**
 * Runs `handle` once for each event, after it has happened, in a transaction of its own. With `inTransaction` it runs in the
 * transaction of the change: it must be quick, and if it refuses, the change is undone.
 */
export function subscribe<E extends DomainEvent>(
  events: E | readonly E[],
  consumer: string,
  handle: (tx: TenantTx, event: Happened<DataOf<E>>) => Promise<unknown>,
  { inTransaction = false }: { inTransaction?: boolean } = {},
): Subscription {
  const list = Array.isArray(events) ? (events as readonly E[]) : [events as E]
  return { consumer, types: new Set(list.map(({ type }) => type)), isInTransaction: inTransaction, handle }
}

let sharing: Map<string, Subscription[]> = new Map()
let following: Map<string, Subscription[]> = new Map()
let consumers: Map<string, Subscription> = new Map()

/** Who listens in this process. Said once, when it is assembled; saying it again replaces what was said. */
export function registerSubscriptions(subscriptions: readonly Subscription[]): void {
  const named = new Map(subscriptions.map((subscription) => [subscription.consumer, subscription]))
  if (named.size < subscriptions.length) throw new Error('Two consumers of events have the same name.')
  consumers = named
  sharing = byType(subscriptions.filter(({ isInTransaction }) => isInTransaction))
  following = byType(subscriptions.filter(({ isInTransaction }) => !isInTransaction))
}

/** Those who share the transaction of the change. */
export const sharingTransaction = (type: string): Subscription[] => sharing.get(type) ?? []

/** Those who hear of it afterwards. */
export const followersOf = (type: string): Subscription[] => following.get(type) ?? []

export const findConsumer = (name: string): Subscription | undefined => consumers.get(name)

function byType(subscriptions: Subscription[]): Map<string, Subscription[]> {
  const listeners = new Map<string, Subscription[]>()
  for (const subscription of subscriptions)
    for (const type of subscription.types) listeners.set(type, [...(listeners.get(type) ?? []), subscription])
  return listeners
}
