import type { UserActor } from '#platform/access'
import { recordAudit, recordAuditEntries } from '#platform/audit'
import type { Clock } from '#platform/clock'
import { actorOf, type Page, type TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { notFound, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { apiKeyRevoked, apiKeyUpdated } from '../../identity.events.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import {
  type ApiKeyRow,
  connectedAppExists,
  detachKeysFromApp,
  getApiKeyRow,
  lockApiKeys,
  markKeysOfAppRevoked,
  markKeysOfUserRevoked,
  markKeysRevoked,
  updateApiKeyRow,
} from './api-keys.queries.ts'
import {
  assertCanCreateKeys,
  assertKeyActive,
  canSeeKey,
  grantedScopesOf,
  keyExpiryOf,
  storedPresetOf,
  toApiKey,
} from './api-keys.rules.ts'
import type { ApiKey, ApiKeyChanges, ApiKeyFilter, CreatedApiKey, NewApiKey } from './api-keys.schemas.ts'
import { authorizeKeyCreation, issueApiKey } from './issue-api-key.service.ts'
import { listApiKeyRows } from './list-api-keys.queries.ts'

type Services = { clock: Clock }

export async function createApiKey(
  tx: TenantTx,
  actor: UserActor,
  input: NewApiKey,
  { clock }: Services,
): Promise<CreatedApiKey> {
  const now = clock.now()
  const security = await authorizeKeyCreation(tx, actor)
  const { name, connected_app_id = null } = input
  const fields = {
    name,
    scopes: grantedScopesOf(input),
    preset: storedPresetOf(input),
    connected_app_id,
    expires_at: keyExpiryOf(input, security, now),
  }
  await lockApiKeys(tx)
  await assertConnectedAppExists(tx, connected_app_id)
  return await issueApiKey(tx, actor, fields, now)
}

export async function listApiKeys(
  tx: TenantTx,
  { role, userId }: UserActor,
  filter: ApiKeyFilter,
  { clock }: Services,
): Promise<Page<ApiKey>> {
  const now = clock.now()
  const created_by = role === 'admin' ? undefined : userId
  const page = await listApiKeyRows(tx, { ...filter, created_by }, now)
  return { ...page, items: page.items.map((row) => toApiKey(row, now)) }
}

export async function getApiKey(tx: TenantTx, actor: UserActor, id: string, { clock }: Services): Promise<ApiKey> {
  return toApiKey(await getVisibleKey(tx, actor, id), clock.now())
}

export async function getVisibleKey(tx: TenantTx, actor: UserActor, id: string): Promise<ApiKeyRow> {
  const key = await getApiKeyRow(tx, id)
  if (!canSeeKey(actor, key)) throw notFound('API key')
  return key
}

/** Changing the scopes requires the permission to create keys. */
export async function updateApiKey(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  requested: ApiKeyChanges,
  { clock }: Services,
): Promise<ApiKey> {
  const now = clock.now()
  await lockApiKeys(tx)
  const key = await getVisibleKey(tx, actor, id)
  if (requested.scopes) assertCanCreateKeys(actor, await readSettings(tx, 'security'))
  assertKeyActive(key, now)
  await assertConnectedAppExists(tx, requested.connected_app_id)
  const changes = changedFields(key, requested)
  const changed = Object.keys(changes)
  if (changed.length === 0) return toApiKey(key, now)

  await updateApiKeyRow(tx, id, changes)
  const after = { ...key, ...changes }
  await recordAudit(tx, 'api_key.updated', { id, label: after.name, before: key, after })
  await emit(tx, apiKeyUpdated, { id }, { changed })
  return toApiKey(await getApiKeyRow(tx, id), now)
}

async function assertConnectedAppExists(tx: TenantTx, id: string | null | undefined): Promise<void> {
  if (id && !(await connectedAppExists(tx, id))) throw unknownReference('/connected_app_id', 'connected app')
}

export async function revokeApiKey(tx: TenantTx, actor: UserActor, id: string): Promise<void> {
  await lockApiKeys(tx)
  const { created_by } = await getVisibleKey(tx, actor, id)
  await revokeKeys(tx, [id], created_by === actor.userId ? 'revoked_by_creator' : 'revoked_by_admin')
}

export async function revokeKeys(tx: TenantTx, ids: readonly string[], reason: string): Promise<number> {
  if (ids.length === 0) return 0
  return await announceRevoked(tx, reason, await markKeysRevoked(tx, ids, revocation(tx, reason)))
}

export async function revokeKeysOfUser(tx: TenantTx, userId: string, reason: string): Promise<number> {
  await lockApiKeys(tx)
  return await announceRevoked(tx, reason, await markKeysOfUserRevoked(tx, userId, revocation(tx, reason)))
}

/** Revokes and detaches the keys, because the app is about to be deleted. */
export async function revokeKeysOfApp(tx: TenantTx, appId: string, reason: string): Promise<number> {
  const revoked = await markKeysOfAppRevoked(tx, appId, revocation(tx, reason))
  await detachKeysFromApp(tx, appId)
  return await announceRevoked(tx, reason, revoked)
}

const revocation = (tx: TenantTx, reason: string) => ({ reason, revokedBy: actorOf(tx).userId })

async function announceRevoked(tx: TenantTx, reason: string, revoked: { id: string; name: string }[]): Promise<number> {
  await recordAuditEntries(
    tx,
    'api_key.revoked',
    revoked.map(({ id, name }) => ({ id, label: name, reason })),
  )
  for (const { id, name } of revoked) await emit(tx, apiKeyRevoked, { id }, { name, reason })
  return revoked.length
}
