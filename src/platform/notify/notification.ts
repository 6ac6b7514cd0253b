import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

declare const defined: unique symbol

/** What a person reads. `path` leads to the place in the workspace it is about. */
export type NotificationText = { title: string; body: string; path?: string }

export type Channels = { in_app: boolean; email: boolean }

type Definition<S extends TSchema> = {
  /** What it tells of, in the words of whoever chooses what to hear of. */
  description: string
  /** Ids and short texts, at most 8 KiB. */
  payload: S
  text(payload: Static<S>): NotificationText
  /** Unless the person chose otherwise. */
  channels: Channels
  /** False for what concerns the safety of an account: nobody can choose not to hear of it. */
  canBeSwitchedOff: boolean
  /** The mail waits that long, for others to join it. */
  mailAfterSeconds?: number
  /** Notifications of this kind with the same key share a mail. */
  coalesceKey?(payload: Static<S>): string
}

/** Something people are told of. Only `defineNotification` makes one. */
export type NotificationKind<S extends TSchema = TSchema> = Definition<S> & {
  readonly kind: string
  readonly [defined]: true
}

const registry = new Map<string, NotificationKind>()

/** `kind` is `{thing}.{fact}`, such as `room.visited`. */
export function defineNotification<S extends TSchema>(kind: string, definition: Definition<S>): NotificationKind<S> {
  if (!/^[a-z_]+\.[a-z_]+$/.test(kind)) throw new Error(`${kind} is not a kind of notification: write {thing}.{fact}.`)
  if (registry.has(kind)) throw new Error(`The notification ${kind} is defined twice.`)
  const made = Object.freeze({ kind, ...definition }) as NotificationKind<S>
  registry.set(kind, made as unknown as NotificationKind)
  return made
}

/** Every kind there is, by name. */
export const definedNotifications = (): NotificationKind[] =>
  [...registry.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1))

const maxPayloadBytes = 8 * 1024
const checks = new Map<string, (payload: unknown) => boolean>()

/** The payload as it is kept. What its kind does not announce, or is too long, is a mistake of ours. */
export function writtenPayload(
  { kind, payload: schema }: Pick<NotificationKind, 'kind' | 'payload'>,
  payload: unknown,
) {
  const written = JSON.stringify(payload)
  const check = checks.get(kind) ?? compileCheck(kind, schema)
  if (!check(payload)) throw new Error(`The payload of ${kind} is not what its definition says.`)
  if (Buffer.byteLength(written) > maxPayloadBytes) throw new Error(`The payload of ${kind} is too large.`)
  return written
}

function compileCheck(kind: string, schema: TSchema): (payload: unknown) => boolean {
  const compiled = Compile(schema)
  const check = (payload: unknown) => compiled.Check(payload)
  checks.set(kind, check)
  return check
}

export const findNotificationKind = (kind: string): NotificationKind | undefined => registry.get(kind)
