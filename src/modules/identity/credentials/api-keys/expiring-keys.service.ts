import { Type } from 'typebox'
import { recordAuditEntries } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { emit } from '#platform/outbox'
import { strict } from '#platform/schema'
import { apiKeyExpired } from '../../identity.events.ts'
import { lockApiKeys } from './api-keys.queries.ts'
import { revokeKeys } from './api-keys.service.ts'
import { listExpiredKeys, markExpiryAnnounced, markExpiryWarned } from './expiring-keys.queries.ts'

const warningDays = 7
const batchSize = 200

const apiKeyExpiring = defineNotification('api_key.expiring', {
  description: 'an API key you created expires within a week',
  payload: strict({ name: Type.String(), key_prefix: Type.String(), ends: Type.String() }),
  text: ({ name, key_prefix, ends }) => ({
    title: `Your API key ${name} expires soon`,
    body: `The API key ${name} (${key_prefix}…) expires on ${ends}. Rotate it or create a new one before then to avoid interruptions.`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})

export const warningWindow = (now: Date) => ({ now, soon: daysLater(now, warningDays) })

/** Skips rotated and short-lived keys, whose creators expect the expiry. Returns true if more keys are due. */
export async function warnAboutExpiry(tx: TenantTx, now: Date): Promise<boolean> {
  await lockApiKeys(tx)
  const expiring = await markExpiryWarned(tx, warningWindow(now), batchSize)
  for (const { id, name, key_prefix, expires_at, created_at, created_by, is_rotated } of expiring) {
    const isShortLived = expires_at! <= daysLater(created_at, warningDays)
    if (is_rotated || isShortLived) continue
    const payload = { name, key_prefix, ends: formatUtc(expires_at!) }
    await notify(tx, created_by, apiKeyExpiring, payload, { resource: { type: 'api_key', id } })
  }
  return expiring.length === batchSize
}

/** Rotated keys are revoked instead of announced. Returns true if more keys are due. */
export async function announceExpiry(tx: TenantTx, now: Date): Promise<boolean> {
  await lockApiKeys(tx)
  const ended = await listExpiredKeys(tx, now, batchSize)
  const rotated = ended.filter(({ is_rotated }) => is_rotated)
  const expired = ended.filter(({ is_rotated }) => !is_rotated)

  await revokeKeys(tx, idsOf(rotated), 'rotated')
  await markExpiryAnnounced(tx, idsOf(expired), now)
  await recordAuditEntries(
    tx,
    'api_key.expired',
    expired.map(({ id, name }) => ({ id, label: name })),
  )
  for (const { id, name, created_by } of expired) await emit(tx, apiKeyExpired, { id }, { name, created_by })
  return ended.length === batchSize
}

const idsOf = (keys: { id: string }[]): string[] => keys.map(({ id }) => id)

const formatUtc = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' at ')} UTC`
