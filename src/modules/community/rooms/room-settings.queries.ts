import type { TenantTx } from '#platform/db'

const settingColumns = ['public_read', 'post_policy', 'slow_mode_seconds', 'public_author_names'] as const

export function findRoomSettings(tx: TenantTx, roomId: string) {
  return tx
    .selectFrom('community.room_settings')
    .select(settingColumns)
    .where('room_id', '=', roomId)
    .executeTakeFirst()
}
