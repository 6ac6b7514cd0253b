import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Clock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { apiKeyRotated } from '../../identity.events.ts'
import { isRotated, lockApiKeys, updateApiKeyRow } from './api-keys.queries.ts'
import { assertKeyActive } from './api-keys.rules.ts'
import type { ApiKeyRotation, CreatedApiKey } from './api-keys.schemas.ts'
import { getVisibleKey, revokeKeys } from './api-keys.service.ts'
import { authorizeKeyCreation, issueApiKey } from './issue-api-key.service.ts'
import { assertNotRotated, assertOwnKey, overlapEndOf, successorExpiryOf } from './key-rotation.rules.ts'

/** A key has one successor, so only one of several concurrent rotations succeeds. */
export async function rotateApiKey(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { overlap_seconds: overlap }: ApiKeyRotation,
  { clock }: { clock: Clock },
): Promise<CreatedApiKey> {
  const now = clock.now()
  const security = await authorizeKeyCreation(tx, actor)
  await lockApiKeys(tx)
  const old = await getVisibleKey(tx, actor, id)
  assertOwnKey(actor, old)
  assertKeyActive(old, now)
  assertNotRotated(await isRotated(tx, id))

  const ends_at = overlapEndOf(old, overlap, now)
  await updateApiKeyRow(tx, id, { expires_at: ends_at })
  if (overlap === 0) await revokeKeys(tx, [id], 'rotated')
  const { name, scopes, preset, connected_app_id, requests_per_minute } = old
  const inherited = { name, scopes, preset, connected_app_id, requests_per_minute, rotated_from_id: id }
  const successor = await issueApiKey(
    tx,
    actor,
    { ...inherited, expires_at: successorExpiryOf(old, security, now) },
    now,
  )
  await recordAudit(tx, 'api_key.rotated', {
    id,
    label: name,
    before: { expires_at: old.expires_at, successor_id: null },
    after: { expires_at: ends_at, successor_id: successor.id },
  })
  await emit(tx, apiKeyRotated, { id }, { name, successor_id: successor.id, ends_at })
  return successor
}
