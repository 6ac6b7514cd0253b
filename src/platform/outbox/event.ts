import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Resource } from '#platform/access'

declare const defined: unique symbol

/** A fact somebody may want to hear of. Only `defineEvent` makes one, so only a registered fact can be announced. */
export type DomainEvent<S extends TSchema = TSchema> = {
  readonly type: string
  readonly resource: Resource
  readonly description: string
  readonly data: S
  readonly [defined]: true
}

/** What a value looks like once it has been written down as JSON. */
export type Written<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Written<Item>[]
    : T extends object
      ? { [Key in keyof T]: Written<T[Key]> }
      : T

export type DataOf<E> = E extends DomainEvent<infer S> ? Written<Static<S>> : never

type Definition<S extends TSchema> = { resource: Resource; description: string; data: S }

const registry = new Map<string, DomainEvent>()
const checks = new Map<string, (data: unknown) => boolean>()

/** `type` is `{thing}.{fact}`, the fact in the past tense; `resource` decides who may see the event. */
export function defineEvent<S extends TSchema>(type: string, definition: Definition<S>): DomainEvent<S> {
  if (!/^[a-z_]+\.[a-z_]+$/.test(type)) throw new Error(`${type} is not the name of an event: write {thing}.{fact}.`)
  if (registry.has(type)) throw new Error(`The event ${type} is defined twice.`)
  const event = Object.freeze({ type, ...definition }) as DomainEvent<S>
  registry.set(type, event)
  return event
}

/** Every event there is, by name: the catalogue. */
export const definedEvents = (): DomainEvent[] =>
  [...registry.values()].sort((one, other) => (one.type < other.type ? -1 : 1))

export const subjectTypeOf = ({ type }: DomainEvent): string => type.slice(0, type.indexOf('.'))

/** Keeps what is announced true to the catalogue. */
export function assertAnnounceable(event: DomainEvent, data: unknown): void {
  if (registry.get(event.type) !== event) throw new Error(`The event ${event.type} is not in the catalogue.`)
  const check = checks.get(event.type) ?? compileCheck(event)
  if (!check(data)) throw new Error(`The data of ${event.type} is not what the catalogue says.`)
}

/** On first use, because most processes announce few of the events they know. */
function compileCheck({ type, data }: DomainEvent): (data: unknown) => boolean {
  const compiled = Compile(data)
  const check = (value: unknown) => compiled.Check(value)
  checks.set(type, check)
  return check
}
