import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { hashToken } from '#platform/secrets'
import { apiKeyCreated } from '../identity.events.ts'
import { readSettings } from '../settings/settings.queries.ts'
import type { SecuritySettings } from '../settings/settings.schemas.ts'
import { countLiveKeys, getKey, holdCreator, insertApiKey } from './api-keys.queries.ts'
import { assertMayHoldKeys, assertMayMakeKeys, assertRoomForKey, toApiKey } from './api-keys.rules.ts'
import type { CreatedApiKey } from './api-keys.schemas.ts'
import { keyHints, newKeyText } from './key-text.rules.ts'

/** What the workspace says about keys, for somebody who may make one. They stay who they are until the transaction ends. */
export async function settingsForMaking(tx: TenantTx, actor: SignedIn): Promise<SecuritySettings> {
  const security = await readSettings(tx, 'security')
  assertMayMakeKeys(actor, security)
  assertMayHoldKeys(await holdCreator(tx, actor.userId))
  return security
}

type Fields = {
  name: string
  scopes: string[]
  preset: string | null
  connected_app_id: string | null
  expires_at: Date | null
  rotated_from_id?: string
  requests_per_minute?: number | null
}

/** Makes a key for whoever acts. The caller holds the lock on keys, so that they can be counted. */
export async function makeKey(tx: TenantTx, actor: SignedIn, given: Fields, now: Date): Promise<CreatedApiKey> {
  assertRoomForKey(await countLiveKeys(tx, actor.userId, now))

  const id = newId()
  const key = newKeyText()
  const fields = { ...given, ...keyHints(key) }
  const { userId: created_by } = actor
  await insertApiKey(tx, { id, ...fields, key_hash: hashToken(key), created_by, created_at: now })
  await record(tx, 'api_key.created', { id, label: given.name, after: fields })
  await emit(tx, apiKeyCreated, { id }, { name: given.name, created_by })
  return { ...toApiKey(await getKey(tx, id), now), key }
}
