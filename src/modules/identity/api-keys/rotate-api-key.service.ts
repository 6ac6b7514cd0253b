import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { apiKeyRotated } from '../identity.events.ts'
import { changeKeyFields, isRotated, lockKeys } from './api-keys.queries.ts'
import { assertStillActive } from './api-keys.rules.ts'
import type { CreatedApiKey, Rotation } from './api-keys.schemas.ts'
import { getVisibleKey, revokeKeys } from './api-keys.service.ts'
import { makeKey, settingsForMaking } from './make-key.service.ts'
import { assertNotRotated, assertOwnKey, endOfOverlap, expiryOfSuccessor } from './rotation.rules.ts'

/** Puts a new key in the place of an old one. Of several who try at once one succeeds, since a key has one successor. */
export async function rotateApiKey(
  tx: TenantTx,
  actor: SignedIn,
  id: string,
  { overlap_seconds: overlap }: Rotation,
  { clock }: { clock: Clock },
): Promise<CreatedApiKey> {
  const now = clock.now()
  const security = await settingsForMaking(tx, actor)
  await lockKeys(tx)
  const old = await getVisibleKey(tx, actor, id)
  assertOwnKey(actor, old)
  assertStillActive(old, now)
  assertNotRotated(await isRotated(tx, id))

  const ends_at = endOfOverlap(old, overlap, now)
  await changeKeyFields(tx, id, { expires_at: ends_at })
  if (overlap === 0) await revokeKeys(tx, [id], 'rotated')
  const { name, scopes, preset, connected_app_id, requests_per_minute } = old
  const same = { name, scopes, preset, connected_app_id, requests_per_minute, rotated_from_id: id }
  const made = await makeKey(tx, actor, { ...same, expires_at: expiryOfSuccessor(old, security, now) }, now)
  await record(tx, 'api_key.rotated', {
    id,
    label: name,
    before: { expires_at: old.expires_at, successor_id: null },
    after: { expires_at: ends_at, successor_id: made.id },
  })
  await emit(tx, apiKeyRotated, { id }, { name, successor_id: made.id, ends_at })
  return made
}
