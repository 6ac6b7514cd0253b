import { type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import type { NewRoomSettings } from './rooms.schemas.ts'

const settingColumns = ['public_read', 'post_policy', 'slow_mode_seconds', 'public_author_names'] as const
const rowColumns = ['room_id', ...settingColumns, 'version'] as const

export type RoomSettingsRow = Pick<Selectable<Database['community.room_settings']>, (typeof rowColumns)[number]>

export function findRoomSettings(tx: TenantTx, roomId: string) {
  return tx
    .selectFrom('community.room_settings')
    .select(settingColumns)
    .where('room_id', '=', roomId)
    .executeTakeFirst()
}

export function listRoomSettings(tx: TenantTx, roomIds: readonly string[]): Promise<RoomSettingsRow[]> {
  return tx
    .selectFrom('community.room_settings')
    .select(rowColumns)
    .where('room_id', '=', sql<string>`any(${roomIds}::uuid[])`)
    .execute()
}

/** Returns false if the room has settings already. */
export async function insertDefaultSettings(tx: TenantTx, roomId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('community.room_settings')
    .values({ room_id: roomId })
    .onConflict((existing) => existing.constraint('room_settings_pkey').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}

export function lockRoomSettings(tx: TenantTx, roomId: string): Promise<RoomSettingsRow> {
  return tx
    .selectFrom('community.room_settings')
    .select(rowColumns)
    .where('room_id', '=', roomId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export function updateRoomSettingsRow(
  tx: TenantTx,
  roomId: string,
  settings: Partial<NewRoomSettings>,
): Promise<RoomSettingsRow> {
  return tx
    .updateTable('community.room_settings')
    .set(settings)
    .where('room_id', '=', roomId)
    .returning(rowColumns)
    .executeTakeFirstOrThrow()
}
