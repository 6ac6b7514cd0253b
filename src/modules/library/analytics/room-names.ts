import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

/** Finds the names of rooms, also of deleted ones. */
export type FindRoomNames = (tx: TenantTx, roomIds: readonly string[]) => Promise<Map<string, string>>

export const roomNamePoint = defineExtensionPoint<FindRoomNames>('names of rooms')
