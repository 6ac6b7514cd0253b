import { findContactReferences } from '#modules/crm'
import { getTenant, workspaceUrl } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx, tenantIdOf } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { generateSecretToken, hashToken } from '#platform/secrets'
import { lockEditableRoom } from '../records/room-access.service.ts'
import type { RoomRow } from '../records/rooms.queries.ts'
import { roomLinkCreated, roomLinkRevoked, roomLinkUpdated } from '../rooms.events.ts'
import { countLiveLinks, getLinkRow, insertLink, type LinkRow, listLinkRows, updateLinkRow } from './links.queries.ts'
import {
  assertLinkLimit,
  assertNotRevoked,
  assertValidLink,
  type LinkChanges,
  type LinkInput,
  type NewLinkInput,
  toLinkColumns,
} from './links.rules.ts'
import type { LinkAccess, RoomLink } from './links.schemas.ts'
import { sendRoomLink } from './send-link.service.ts'

type LinkServices = Pick<Services, 'secrets' | 'clock'>
type ShownServices = Pick<Services, 'secrets' | 'config'>

const locationOf = (tx: TenantTx, linkId: string) => ({
  tenantId: tenantIdOf(tx),
  table: 'enablement.room_links',
  column: 'token_cipher',
  row: linkId,
})

type NewLinkRow = LinkInput & {
  is_default: boolean
  label?: string | null
  recipient_contact_id?: string | null
  recipient_email?: string | null
}

export async function createLinkRow(
  tx: TenantTx,
  roomId: string,
  { is_default, label, recipient_contact_id, recipient_email, ...input }: NewLinkRow,
  { secrets, clock }: LinkServices,
): Promise<LinkRow> {
  const columns = toLinkColumns(input)
  assertValidLink({ access: 'anyone', allowed: [], expires_at: null, ...columns }, columns, clock.now())
  const [id, token] = [newId(), generateSecretToken()]
  const { kid, ciphertext } = secrets.seal(token, locationOf(tx, id))
  return await insertLink(tx, {
    id,
    room_id: roomId,
    is_default,
    label,
    recipient_contact_id,
    recipient_email,
    ...columns,
    token_hash: hashToken(token),
    token_kid: kid,
    token_cipher: ciphertext,
  })
}

export async function createRoomLink(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  { recipient_contact_id, send_email, ...input }: NewLinkInput,
  services: LinkServices,
): Promise<LinkRow> {
  const room = await lockEditableRoom(tx, actor, roomId)
  assertLinkLimit(await countLiveLinks(tx, roomId))
  const recipient = await findRecipient(tx, recipient_contact_id ?? null)
  const link = await createLinkRow(
    tx,
    roomId,
    { ...input, is_default: false, recipient_contact_id, recipient_email: recipient?.email },
    services,
  )
  await recordAudit(tx, 'room.link_created', { id: roomId, label: room.name, after: auditedLink(link) })
  await emit(tx, roomLinkCreated, room, { link_id: link.id })
  if (send_email) await sendRoomLink(tx, room, link, services.clock.now())
  return link
}

async function findRecipient(tx: TenantTx, contactId: string | null) {
  if (contactId === null) return undefined
  const contact = (await findContactReferences(tx, [contactId])).get(contactId)
  if (!contact) throw unknownReference('/recipient_contact_id', 'contact')
  return contact
}

type UpdateLinkInput = { changes: LinkChanges; expectedVersion?: number }

export async function updateRoomLink(
  tx: TenantTx,
  actor: UserActor,
  { roomId, linkId }: { roomId: string; linkId: string },
  { changes: { revoked, send_email, ...changes }, expectedVersion }: UpdateLinkInput,
  { clock }: Pick<Services, 'clock'>,
): Promise<LinkRow> {
  const room = await lockEditableRoom(tx, actor, roomId)
  const link = await getLinkRow(tx, roomId, linkId)
  assertVersion(link, expectedVersion)
  assertNotRevoked(link)
  const updated = await changeLink(tx, room, link, changes, clock.now())
  const current = revoked ? await revokeLink(tx, actor, room, updated, clock.now()) : updated
  if (send_email) await sendRoomLink(tx, room, current, clock.now())
  return current
}

/** Lock the room first. */
export async function changeLink(
  tx: TenantTx,
  room: RoomRow,
  link: LinkRow,
  { label, ...input }: Omit<LinkChanges, 'revoked' | 'send_email'>,
  now: Date,
): Promise<LinkRow> {
  const changes = changedFields(link, { ...toLinkColumns(input), ...(label !== undefined && { label }) })
  const changed = Object.keys(changes)
  if (!changed.length) return link
  assertValidLink({ ...link, ...changes }, changes, now)

  const updated = await updateLinkRow(tx, link.id, changes)
  const entry = { id: room.id, label: room.name, before: auditedLink(link), after: auditedLink(updated) }
  await recordAudit(tx, 'room.link_updated', entry)
  await emit(tx, roomLinkUpdated, room, {
    link_id: link.id,
    changed: changed.map((field) => (field === 'password_hash' ? 'password' : field)),
  })
  return updated
}

export async function revokeLink(
  tx: TenantTx,
  actor: UserActor,
  room: RoomRow,
  link: LinkRow,
  now: Date,
): Promise<LinkRow> {
  const revoked = await updateLinkRow(tx, link.id, { revoked_at: now, revoked_by: actor.userId })
  await recordAudit(tx, 'room.link_revoked', { id: room.id, label: room.name, before: auditedLink(link) })
  await emit(tx, roomLinkRevoked, room, { link_id: link.id })
  return revoked
}

const auditedLink = ({ id, label, access, allowed, blocked, expires_at, password_hash, revoked_at }: LinkRow) => ({
  link_id: id,
  label,
  access,
  allowed,
  blocked,
  expires_at,
  revoked_at,
  has_password: password_hash !== null,
})

export async function listRoomLinks(tx: TenantTx, roomId: string, services: ShownServices): Promise<RoomLink[]> {
  return await toRoomLinks(tx, await listLinkRows(tx, roomId), services)
}

export async function toRoomLinks(
  tx: TenantTx,
  rows: readonly LinkRow[],
  { secrets, config }: ShownServices,
): Promise<RoomLink[]> {
  const { slug } = await getTenant(tx)
  return rows.map(({ room_id: _, gate_version: __, token_kid, token_cipher, password_hash, ...row }) => {
    const isKnown = token_kid !== null && token_cipher !== null
    const shareToken = isKnown
      ? secrets.open({ kid: token_kid, ciphertext: token_cipher }, locationOf(tx, row.id))
      : null
    return {
      ...row,
      recipient_email: actorOf(tx).scopes.has('contacts.read') ? row.recipient_email : null,
      access: row.access as LinkAccess,
      has_password: password_hash !== null,
      share_token: shareToken,
      url: shareToken && workspaceUrl(config, slug, `/r/${shareToken}`),
    }
  })
}
