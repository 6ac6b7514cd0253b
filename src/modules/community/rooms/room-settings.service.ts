import { lockRoomSummaryShared } from '#modules/rooms'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, notFound } from '#platform/errors'
import { emit } from '#platform/outbox'
import { roomVisibilityChanged } from '../community.events.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { toSettings } from './list-rooms.service.ts'
import { assertMayPublish, assertModerator, isCommunityRoom } from './room-access.rules.ts'
import { toRoomAccess } from './room-access.service.ts'
import { insertDefaultSettings, lockRoomSettings, updateRoomSettingsRow } from './room-settings.queries.ts'
import type { CommunityRoomSettings, NewRoomSettings } from './rooms.schemas.ts'

type ReplaceSettingsInput = { settings: NewRoomSettings; expectedVersion?: number }

export async function replaceCommunityRoomSettings(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  { settings, expectedVersion }: ReplaceSettingsInput,
): Promise<CommunityRoomSettings> {
  await assertNotSuspended(tx, actor)
  const room = await lockRoomSummaryShared(tx, roomId)
  if (!isCommunityRoom(room)) throw notFound('community room')
  assertModerator(toRoomAccess(actor, room))

  const isNew = await insertDefaultSettings(tx, roomId)
  const current = await lockRoomSettings(tx, roomId)
  assertVersion({ version: isNew ? 0 : current.version }, expectedVersion)
  assertMayPublish(actor.role, current, settings)
  const changes = changedFields(current, settings)
  if (!Object.keys(changes).length) return toSettings(roomId, current)

  const updated = await updateRoomSettingsRow(tx, roomId, changes)
  await recordAudit(tx, 'room.community_settings_changed', {
    id: roomId,
    label: room.name,
    before: current,
    after: updated,
  })
  const { public_read, version } = updated
  if (public_read !== current.public_read)
    await emit(tx, roomVisibilityChanged, { id: roomId, version }, { public_read })
  return toSettings(roomId, updated)
}
