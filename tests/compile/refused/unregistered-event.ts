import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { strict } from '#platform/schema'

const userVanished = {
  type: 'user.vanished',
  resource: 'users',
  description: 'A user vanished',
  data: strict({}),
} as const

export const vanish = (tx: TenantTx, user: { id: string }) => emit(tx, userVanished, user, {})
