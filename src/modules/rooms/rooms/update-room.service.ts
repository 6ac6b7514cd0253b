import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import type { WelcomeHtml } from '#platform/markdown'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { updateDefaultLink } from '../links/default-link.service.ts'
import type { DefaultLinkChanges } from '../links/links.rules.ts'
import { lockEditableRoom } from '../records/room-access.service.ts'
import {
  deleteOtherSections,
  listCollaborators,
  listSections,
  replaceCollaborators,
  upsertSections,
} from '../records/room-parts.queries.ts'
import { type RoomRow, updateRoomRow } from '../records/rooms.queries.ts'
import { assertOwnsOrManages, assertUniqueCollaborators, mergeBranding, mergeSettings } from '../records/rooms.rules.ts'
import { roomUpdated } from '../rooms.events.ts'
import { changeRoomStatus } from './change-room-status.service.ts'
import {
  assertActiveCollaborators,
  assertAllowedOwner,
  assertBrandingImages,
  findAccountName,
  resolveAccountId,
  roomSearchText,
} from './room-references.service.ts'
import type { CollaboratorInput, RoomChanges, SectionInput } from './rooms.schemas.ts'

type UpdateRoomInput = {
  changes: Omit<RoomChanges, 'share'> & { share?: DefaultLinkChanges }
  welcomeHtml?: WelcomeHtml | undefined
  expectedVersion?: number
}
type UpdateServices = Pick<Services, 'secrets' | 'clock'>

export async function updateRoom(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  { changes: requested, welcomeHtml, expectedVersion }: UpdateRoomInput,
  services: UpdateServices,
): Promise<RoomRow> {
  const { status, sections, share, collaborators, ...fields } = requested
  const room = await lockEditableRoom(tx, actor, roomId)
  assertVersion(room, expectedVersion)

  const parts: string[] = []
  if (sections && (await replaceSections(tx, roomId, sections))) parts.push('sections')
  if (collaborators && (await setCollaborators(tx, actor, room, collaborators))) parts.push('collaborators')
  if (share && (await updateDefaultLink(tx, actor, room, share, services))) parts.push('share')
  const updated = await updateFields(tx, actor, room, fields, { parts, welcomeHtml })
  return status === undefined || status === updated.status
    ? updated
    : await changeRoomStatus(tx, actor, updated, status, services)
}

type FieldChanges = Omit<RoomChanges, 'status' | 'sections' | 'share' | 'collaborators'>

async function updateFields(
  tx: TenantTx,
  actor: UserActor,
  room: RoomRow,
  { branding, settings, ...fields }: FieldChanges,
  { parts, welcomeHtml }: { parts: readonly string[]; welcomeHtml: WelcomeHtml | undefined },
): Promise<RoomRow> {
  const changes = changedFields(room, {
    ...fields,
    ...(branding && { branding: mergeBranding(room.branding, branding) }),
    ...(settings && { settings: mergeSettings(room.settings, settings) }),
    account_id: await resolveAccountId(tx, fields, room),
  })
  if (changes.owner_id !== undefined) {
    assertOwnsOrManages(actor, room)
    await assertAllowedOwner(tx, actor, changes.owner_id)
  }
  if (changes.branding && branding) await assertBrandingImages(tx, branding)
  const changed = [...Object.keys(changes), ...parts]
  if (!changed.length) return room

  const accountId = changes.account_id === undefined ? room.account_id : changes.account_id
  const name = changes.name ?? room.name
  const updated = await updateRoomRow(tx, room.id, {
    ...changes,
    ...(changes.welcome && welcomeHtml),
    name,
    ...(changes.branding && { branding: JSON.stringify(changes.branding) }),
    ...(changes.settings && { settings: JSON.stringify(changes.settings) }),
    search_text: roomSearchText(name, await findAccountName(tx, accountId)),
  })
  await recordAudit(tx, 'room.updated', { id: room.id, label: updated.name, before: room, after: updated })
  await emit(tx, roomUpdated, updated, { changed })
  return updated
}

async function replaceSections(tx: TenantTx, roomId: string, sections: readonly SectionInput[]): Promise<boolean> {
  const current = await listSections(tx, roomId)
  const known = new Set(current.map(({ id }) => id))
  const given = sections.flatMap(({ id }) => id ?? [])
  const wrong = sections.findIndex(
    ({ id }, index) => id && (!known.has(id) || (given.indexOf(id) < given.lastIndexOf(id) && index > 0)),
  )
  if (wrong >= 0)
    throw invalid(
      'body',
      `/sections/${wrong}/id`,
      'unknown_reference',
      '`id` must be one section of this room, listed once.',
    )

  const rows = sections.map(({ id = newId(), title, description = null }, position) => ({
    id,
    title,
    description,
    position,
  }))
  if (!Object.keys(changedFields({ rows: current }, { rows })).length) return false
  await deleteOtherSections(tx, roomId, given)
  await upsertSections(tx, roomId, rows)
  return true
}

async function setCollaborators(
  tx: TenantTx,
  actor: UserActor,
  room: RoomRow,
  collaborators: readonly CollaboratorInput[],
): Promise<boolean> {
  assertOwnsOrManages(actor, room)
  assertUniqueCollaborators(collaborators)
  await assertActiveCollaborators(tx, collaborators)
  const current = await listCollaborators(tx, room.id)
  if (!Object.keys(changedFields({ collaborators: current }, { collaborators })).length) return false

  await replaceCollaborators(tx, room.id, collaborators)
  const entry = { id: room.id, label: room.name, before: { collaborators: current }, after: { collaborators } }
  await recordAudit(tx, 'room.collaborators_changed', entry)
  return true
}
