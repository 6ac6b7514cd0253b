import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { hashToken } from '#platform/secrets'
import { apiKeyCreated } from '../../identity.events.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import type { SecuritySettings } from '../../workspace/settings/settings.schemas.ts'
import { countLiveKeys, getApiKeyRow, insertApiKey, lockKeyCreatorShared } from './api-keys.queries.ts'
import { assertCanCreateKeys, assertCanOwnKeys, assertKeyLimit, toApiKey } from './api-keys.rules.ts'
import type { CreatedApiKey } from './api-keys.schemas.ts'
import { generateKey, keyHints } from './key-format.rules.ts'

/** Locks the creator and returns the security settings. Throws if the actor cannot create keys. */
export async function authorizeKeyCreation(tx: TenantTx, actor: UserActor): Promise<SecuritySettings> {
  const security = await readSettings(tx, 'security')
  assertCanCreateKeys(actor, security)
  assertCanOwnKeys(await lockKeyCreatorShared(tx, actor.userId))
  return security
}

type NewKeyFields = {
  name: string
  scopes: string[]
  preset: string | null
  connected_app_id: string | null
  expires_at: Date | null
  rotated_from_id?: string
  requests_per_minute?: number | null
}

/** The caller must hold `lockApiKeys`, so that the key count is exact. */
export async function issueApiKey(
  tx: TenantTx,
  actor: UserActor,
  input: NewKeyFields,
  now: Date,
): Promise<CreatedApiKey> {
  assertKeyLimit(await countLiveKeys(tx, actor.userId, now))

  const id = newId()
  const key = generateKey()
  const fields = { ...input, ...keyHints(key) }
  const { userId: created_by } = actor
  await insertApiKey(tx, { id, ...fields, key_hash: hashToken(key), created_by, created_at: now })
  await recordAudit(tx, 'api_key.created', { id, label: input.name, after: fields })
  await emit(tx, apiKeyCreated, { id }, { name: input.name, created_by })
  return { ...toApiKey(await getApiKeyRow(tx, id), now), key }
}
