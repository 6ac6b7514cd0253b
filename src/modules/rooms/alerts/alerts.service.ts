import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import type { MailFact } from '#platform/mail'
import { defineNotification, notify } from '#platform/notify'
import { Id, nullable, strict } from '#platform/schema'
import { type AlertName, alertNames } from '../records/room-fields.schemas.ts'
import { listCollaborators } from '../records/room-parts.queries.ts'
import { settingsOf } from '../records/rooms.rules.ts'

const alertTexts: Record<AlertName, { visitor: string } | { room: string; fact: MailFact }> = {
  first_visit: { visitor: 'opened the room for the first time' },
  new_visitor: { visitor: 'is a new visitor of the room' },
  return: { visitor: 'is back after at least 14 days without a visit' },
  hot: {
    room: 'Visitors use the room a lot: its engagement score is 70 or more.',
    fact: { label: 'Engagement score', value: '70 or more' },
  },
  download: { visitor: 'downloaded an item' },
  plan: { visitor: 'changed a step of the plan' },
  silent: {
    room: 'The room had no visit for several days.',
    fact: { label: 'Visits', value: 'none for several days' },
  },
}

function describeAlert(alert: AlertName, visitor: string): { body: string; fact: MailFact } {
  const text = alertTexts[alert]
  return 'room' in text
    ? { body: text.room, fact: text.fact }
    : { body: `${visitor} ${text.visitor}.`, fact: { label: visitor, value: text.visitor } }
}

const roomAlert = defineNotification('room.alert', {
  description: 'visitors use a room of yours, or no longer do',
  payload: strict({
    room_id: Id,
    room_name: Type.String(),
    alert: Type.Enum([...alertNames]),
    visitor: nullable(Type.String()),
  }),
  text: ({ room_id, room_name, alert, visitor }) => ({
    title: `Room "${room_name}"`,
    ...describeAlert(alert, visitor ?? 'An anonymous visitor'),
    path: `/rooms/${room_id}`,
    action: 'Open the room',
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
  emailDelaySeconds: 120,
  emailIntervalSeconds: 1_800,
  coalesceKey: ({ room_id }) => room_id,
})

export type AlertedRoom = { id: string; name: string; owner_id: string; settings: unknown }
type Alert = { alert: AlertName; visitor?: { name: string | null; email: string | null }; dedupeKey?: string }

/** Notifies the owner and the editors, unless the room has switched the alert off. */
export async function sendRoomAlert(
  tx: TenantTx,
  room: AlertedRoom,
  { alert, visitor, dedupeKey }: Alert,
): Promise<void> {
  if (!settingsOf(room.settings).alerts[alert]) return
  const payload = {
    room_id: room.id,
    room_name: room.name,
    alert,
    visitor: visitor?.name ?? visitor?.email ?? null,
  }
  const options = { resource: { type: 'room', id: room.id }, ...(dedupeKey && { dedupeKey }) }
  for (const userId of await listAlertedUserIds(tx, room)) await notify(tx, userId, roomAlert, payload, options)
}

export async function listAlertedUserIds(tx: TenantTx, { id, owner_id }: AlertedRoom): Promise<string[]> {
  const collaborators = await listCollaborators(tx, id)
  const editors = collaborators.filter(({ role }) => role === 'editor').map(({ user_id }) => user_id)
  return [...new Set([owner_id, ...editors])]
}

const room = { room_id: Id, room_name: Type.String() }
const channels = { in_app: true, email: true }

const manyGuesses = defineNotification('room.many_guesses', {
  description: 'a link to a room of yours is locked after many wrong passwords or codes',
  payload: strict({ ...room, link_id: Id }),
  text: ({ room_id, room_name }) => ({
    title: `Many failed attempts to open "${room_name}"`,
    body: 'A link to the room does not accept passwords and codes for up to an hour. Replace the link if it was passed on.',
    path: `/rooms/${room_id}`,
  }),
  channels,
  canBeDisabled: true,
})

const contentHidden = defineNotification('room.content_hidden', {
  description: 'content in a room of yours was archived or deleted',
  payload: strict({ ...room, title: Type.String() }),
  text: ({ room_id, room_name, title }) => ({
    title: `"${title}" is no longer shown`,
    body: `The content was archived without a replacement or deleted, so visitors of "${room_name}" do not see it any more.`,
    path: `/rooms/${room_id}`,
  }),
  channels,
  canBeDisabled: true,
})

const roomAssigned = defineNotification('room.assigned', {
  description: 'you become the owner of a room',
  payload: strict(room),
  text: ({ room_id, room_name }) => ({
    title: `You own the room "${room_name}" now`,
    body: 'Its owner was deactivated. Visitors can still open the room.',
    path: `/rooms/${room_id}`,
  }),
  channels,
  canBeDisabled: true,
})

type NoticedRoom = { id: string; name: string; owner_id: string }
const payloadOf = ({ id, name }: NoticedRoom) => ({ room_id: id, room_name: name })
const optionsOf = ({ id }: NoticedRoom) => ({ resource: { type: 'room', id } })

export const notifyGuesses = (tx: TenantTx, about: NoticedRoom, linkId: string): Promise<void> =>
  notify(tx, about.owner_id, manyGuesses, { ...payloadOf(about), link_id: linkId }, optionsOf(about))

export const notifyHiddenContent = (tx: TenantTx, about: NoticedRoom, title: string): Promise<void> =>
  notify(tx, about.owner_id, contentHidden, { ...payloadOf(about), title }, optionsOf(about))

export const notifyNewOwner = (tx: TenantTx, about: NoticedRoom): Promise<void> =>
  notify(tx, about.owner_id, roomAssigned, payloadOf(about), optionsOf(about))
