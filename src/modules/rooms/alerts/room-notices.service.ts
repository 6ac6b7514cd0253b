import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'

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
