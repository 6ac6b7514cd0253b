import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { createInstanceState, type InstanceMember, type TenantTx } from '#platform/db'
import type { MailContent, MailFact } from '#platform/mail'

declare const defined: unique symbol

export type NotificationText = {
  title: string
  body: string
  path?: string
  /** Label of the button that opens `path`. */
  action?: string
  /** Replaces `body` in a list of several notifications. */
  fact?: MailFact
}

export type Channels = { in_app: boolean; email: boolean }

type NotificationDefinition<S extends TSchema> = {
  /** Shown to users in the notification settings and in the footer of emails. */
  description: string
  payload: S
  text(payload: Static<S>): NotificationText
  channels: Channels
  canBeDisabled: boolean
  emailDelaySeconds?: number
  /** The least time between two emails with the same coalesce key. */
  emailIntervalSeconds?: number
  coalesceKey?(payload: Static<S>): string
}

export type NotificationKind<S extends TSchema = TSchema> = NotificationDefinition<S> & {
  readonly kind: string
  readonly [defined]: true
}

const registry = new Map<string, NotificationKind>()

/** `kind` has the form `{resource}.{event}`, such as `lead.assigned`. */
export function defineNotification<S extends TSchema>(
  kind: string,
  definition: NotificationDefinition<S>,
): NotificationKind<S> {
  if (!/^[a-z_]+\.[a-z_]+$/.test(kind)) throw new Error(`Invalid notification kind: ${kind}. Use {resource}.{event}.`)
  if (registry.has(kind)) throw new Error(`Notification kind ${kind} is already defined.`)
  const notificationKind = Object.freeze({ kind, ...definition }) as NotificationKind<S>
  registry.set(kind, notificationKind as unknown as NotificationKind)
  return notificationKind
}

export const listNotificationKinds = (): NotificationKind[] =>
  [...registry.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1))

const maxPayloadBytes = 8 * 1024
const validators = new Map<string, (payload: unknown) => boolean>()

export function serializePayload(
  { kind, payload: schema }: Pick<NotificationKind, 'kind' | 'payload'>,
  payload: unknown,
) {
  const serialized = JSON.stringify(payload)
  const isValid = validators.get(kind) ?? compileValidator(kind, schema)
  if (!isValid(payload)) throw new Error(`The payload of ${kind} does not match its schema.`)
  if (Buffer.byteLength(serialized) > maxPayloadBytes) throw new Error(`The payload of ${kind} is too large.`)
  return serialized
}

function compileValidator(kind: string, schema: TSchema): (payload: unknown) => boolean {
  const compiled = Compile(schema)
  const isValid = (payload: unknown) => compiled.Check(payload)
  validators.set(kind, isValid)
  return isValid
}

export const findNotificationKind = (kind: string): NotificationKind | undefined => registry.get(kind)

export type Recipient = {
  name: string | null
  email: string
  isActive: boolean
  preferences: Record<string, Partial<Channels>>
}

/** Looks up users and workspaces for notifications, because the platform does not depend on the modules that own them. */
export type RecipientDirectory = {
  find(tx: TenantTx, userId: string): Promise<Recipient | undefined>
  workspace(tx: TenantTx): Promise<MailContent['workspace'] & { urlOf(path: string): string }>
}

const directories = createInstanceState<RecipientDirectory>('recipient directory')

export const setRecipientDirectory = (db: InstanceMember, directory: RecipientDirectory): void =>
  directories.attach(db, directory)

export const getRecipientDirectory = (tx: TenantTx): RecipientDirectory => directories.get(tx)
