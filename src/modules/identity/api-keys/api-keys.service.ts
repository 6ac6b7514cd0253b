import type { SignedIn } from '#platform/access'
import { record, recordEach } from '#platform/audit'
import type { Clock } from '#platform/clock'
import { actorOf, type TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { hashToken } from '#platform/secrets'
import { apiKeyCreated, apiKeyRevoked } from '../identity.events.ts'
import { readSettings } from '../settings/settings.queries.ts'
import {
  countLiveKeys,
  getApiKey,
  hasConnectedApp,
  insertApiKey,
  lockKeyCount,
  markKeysOfUserRevoked,
} from './api-keys.queries.ts'
import { assertMayCreateKeys, assertRoomForKey, expiryOf, scopesOf, toApiKey } from './api-keys.rules.ts'
import type { CreatedApiKey, NewApiKey } from './api-keys.schemas.ts'
import { keyHints, newKeyText } from './key-text.rules.ts'

/** The key itself is in the answer and nowhere else: the database keeps its digest. */
export async function createApiKey(
  tx: TenantTx,
  actor: SignedIn,
  input: NewApiKey,
  { clock }: { clock: Clock },
): Promise<CreatedApiKey> {
  const now = clock.now()
  const security = await readSettings(tx, 'security')
  assertMayCreateKeys(actor, security)
  const scopes = scopesOf(input)
  const expires_at = expiryOf(input, security, now)
  await assertAppExists(tx, input.connected_app_id)
  await lockKeyCount(tx)
  assertRoomForKey(await countLiveKeys(tx, actor.userId, now))

  const id = newId()
  const key = newKeyText()
  const { name, preset = null, connected_app_id = null } = input
  const fields = { name, scopes, preset, connected_app_id, expires_at, ...keyHints(key) }
  await insertApiKey(tx, { id, ...fields, key_hash: hashToken(key), created_by: actor.userId })
  await record(tx, 'api_key.created', { id, label: name, after: fields })
  await emit(tx, apiKeyCreated, { id }, { name, created_by: actor.userId })
  return { ...toApiKey(await getApiKey(tx, id), now), key }
}

async function assertAppExists(tx: TenantTx, id: string | null | undefined): Promise<void> {
  if (id && !(await hasConnectedApp(tx, id))) throw unknownReference('/connected_app_id', 'connected app')
}

/** For good: a key that was revoked never works again. Tells how many there were. */
export async function revokeKeysOf(tx: TenantTx, userId: string, reason: string): Promise<number> {
  const revoked = await markKeysOfUserRevoked(tx, userId, reason, actorOf(tx).userId)
  await recordEach(
    tx,
    'api_key.revoked',
    revoked.map(({ id, name }) => ({ id, label: name, reason })),
  )
  for (const { id, name } of revoked) await emit(tx, apiKeyRevoked, { id }, { name, reason })
  return revoked.length
}
