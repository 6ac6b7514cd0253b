import { Type } from 'typebox'
import { recordEach } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { emit } from '#platform/outbox'
import { strict } from '#platform/schema'
import { apiKeyExpired } from '../identity.events.ts'
import { lockKeys } from './api-keys.queries.ts'
import { revokeKeys } from './api-keys.service.ts'
import { listExpiredKeys, markExpiryAnnounced, markExpiryWarned } from './ending-keys.queries.ts'

const warnedDaysAhead = 7
const atOnce = 200

const apiKeyExpiring = defineNotification('api_key.expiring', {
  description: 'an API key you made ends within a week',
  payload: strict({ name: Type.String(), key_prefix: Type.String(), ends: Type.String() }),
  text: ({ name, key_prefix, ends }) => ({
    title: `Your API key ${name} ends soon`,
    body: `The API key ${name} (${key_prefix}…) stops working on ${ends}. Rotate it or make a new one before then, so that whatever uses it goes on working.`,
  }),
  channels: { in_app: true, email: true },
  canBeSwitchedOff: true,
})

/** From when on it is time to say that a key ends. */
export const warningSpan = (now: Date) => ({ now, soon: daysLater(now, warnedDaysAhead) })

/** Tells creators a week ahead. Whoever just rotated a key, or made one for a few days, knows it. Tells whether there is more. */
export async function warnOfEnd(tx: TenantTx, now: Date): Promise<boolean> {
  await lockKeys(tx)
  const ending = await markExpiryWarned(tx, warningSpan(now), atOnce)
  for (const { id, name, key_prefix, expires_at, created_at, created_by, is_rotated } of ending) {
    const isMeantToBeShort = expires_at! <= daysLater(created_at, warnedDaysAhead)
    if (is_rotated || isMeantToBeShort) continue
    const payload = { name, key_prefix, ends: inWords(expires_at!) }
    await notify(tx, created_by, apiKeyExpiring, payload, { resource: { type: 'api_key', id } })
  }
  return ending.length === atOnce
}

/** Announces once that keys have ended. One that was rotated is revoked for good instead. Tells whether there is more. */
export async function announceEnd(tx: TenantTx, now: Date): Promise<boolean> {
  await lockKeys(tx)
  const ended = await listExpiredKeys(tx, now, atOnce)
  const rotated = ended.filter(({ is_rotated }) => is_rotated)
  const expired = ended.filter(({ is_rotated }) => !is_rotated)

  await revokeKeys(tx, idsOf(rotated), 'rotated')
  await markExpiryAnnounced(tx, idsOf(expired), now)
  await recordEach(
    tx,
    'api_key.expired',
    expired.map(({ id, name }) => ({ id, label: name })),
  )
  for (const { id, name, created_by } of expired) await emit(tx, apiKeyExpired, { id }, { name, created_by })
  return ended.length === atOnce
}

const idsOf = (keys: { id: string }[]): string[] => keys.map(({ id }) => id)

const inWords = (instant: Date): string => `${instant.toISOString().slice(0, 16).replace('T', ' at ')} UTC`
