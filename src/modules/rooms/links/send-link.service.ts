import { findContactNames } from '#modules/crm'
import { queueEmails } from '#modules/email'
import { countEvent, throttle } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { conflict, invalid, rateLimited } from '#platform/errors'
import { emit } from '#platform/outbox'
import type { RoomRow } from '../records/rooms.queries.ts'
import { roomLinkSent } from '../rooms.events.ts'
import { isLive } from './gate.rules.ts'
import type { LinkRow } from './links.queries.ts'
import { linkEmailKind } from './links.rules.ts'

const [hour, day] = [3_600, 86_400]

/** Queues the email to the recipient of a link. Lock the room first. */
export async function sendRoomLink(tx: TenantTx, room: RoomRow, link: LinkRow, now: Date): Promise<void> {
  const { recipient_email: address, recipient_contact_id: contactId } = link
  if (address === null || contactId === null)
    throw invalid('body', '/send_email', 'required', '`send_email` requires a link to a contact with an email address.')
  if (room.status !== 'active' || !isLive(link, now))
    throw conflict('conflict', 'The link does not work yet or any more. Activate the room, or create a new link.')
  await countSentLink(tx, room.id, link.id, now)

  const name = (await findContactNames(tx, [contactId])).get(contactId) ?? null
  const email = { kind: linkEmailKind, ref_id: link.id, to: { address, name }, contact_id: contactId, run_at: now }
  await queueEmails(tx, [email])
  const sent = { link_id: link.id, contact_id: contactId }
  await recordAudit(tx, 'room.link_sent', { id: room.id, label: room.name, after: sent })
  await emit(tx, roomLinkSent, room, sent)
}

async function countSentLink(tx: TenantTx, roomId: string, linkId: string, now: Date): Promise<void> {
  const perLink = throttle([tenantIdOf(tx), 'room_link_email', linkId], 3, hour)
  const perRoom = throttle([tenantIdOf(tx), 'room_link_emails', roomId], 200, day)
  for (const limit of [perLink, perRoom]) {
    const { retryAfterSeconds } = await countEvent(tx, limit, now)
    if (retryAfterSeconds !== null)
      throw rateLimited(retryAfterSeconds, (wait) => `The link was sent too often. Try again in ${wait}.`)
  }
}
