import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Resource } from '#platform/access'

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

export type Serialized<T> = T extends Date
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
