import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { WelcomeHtml } from '#platform/markdown'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import type { LinkInput } from '../links/links.rules.ts'
import { createLinkRow } from '../links/links.service.ts'
import { upsertSections } from '../records/room-parts.queries.ts'
import { findRoom, insertRoom, type RoomRow } from '../records/rooms.queries.ts'
import { mergeBranding, mergeSettings } from '../records/rooms.rules.ts'
import { roomCreated } from '../rooms.events.ts'
import { copyBranding, copyRoomParts } from './copy-room.service.ts'
import {
  assertAllowedOwner,
  assertBrandingImages,
  findAccountName,
  resolveAccountId,
  roomSearchText,
} from './room-references.service.ts'
import type { NewRoom } from './rooms.schemas.ts'

export type RoomInput = Omit<NewRoom, 'share'> & { share?: LinkInput; welcomeHtml?: WelcomeHtml | undefined }

export async function createRoom(
  tx: TenantTx,
  actor: UserActor,
  { sections = [], share = {}, branding = {}, settings = {}, from_room_id, welcomeHtml, ...fields }: RoomInput,
  services: Pick<Services, 'secrets' | 'clock'>,
): Promise<RoomRow> {
  const ownerId = fields.owner_id ?? actor.userId
  await assertAllowedOwner(tx, actor, ownerId)
  const accountId = await resolveAccountId(tx, fields)
  const now = services.clock.now()
  const source = from_room_id === undefined ? undefined : await findRoom(tx, from_room_id)
  if (from_room_id !== undefined && !source) throw unknownReference('/from_room_id', 'room')
  const newBranding = mergeBranding(source ? await copyBranding(tx, source) : {}, branding)
  await assertBrandingImages(tx, branding)

  const room = await insertRoom(tx, {
    id: newId(),
    ...fields,
    ...welcomeHtml,
    owner_id: ownerId,
    account_id: accountId,
    branding: JSON.stringify(newBranding),
    settings: JSON.stringify(mergeSettings({}, settings)),
    search_text: roomSearchText(fields.name, await findAccountName(tx, accountId)),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  })
  await upsertSections(
    tx,
    room.id,
    sections.map(({ title, description = null }, position) => ({ id: newId(), title, description, position })),
  )
  if (source) await copyRoomParts(tx, actor, source, room)
  await createLinkRow(tx, room.id, { ...share, is_default: true }, services)
  await recordAudit(tx, 'room.created', { id: room.id, label: room.name, after: room })
  await emit(tx, roomCreated, room, { room_type: room.room_type, owner_id: ownerId })
  return room
}
