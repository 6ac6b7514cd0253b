import type { SignedIn } from '#platform/access'
import { record, recordEach } from '#platform/audit'
import type { Clock } from '#platform/clock'
import { actorOf, type Page, type TenantTx } from '#platform/db'
import { notFound, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { apiKeyRevoked, apiKeyUpdated } from '../identity.events.ts'
import { readSettings } from '../settings/settings.queries.ts'
import { realChanges } from '../users/users.rules.ts'
import {
  type ApiKeyRow,
  changeKeyFields,
  getKey,
  hasConnectedApp,
  lockKeys,
  markKeysOfAppRevoked,
  markKeysOfUserRevoked,
  markKeysRevoked,
  takeKeysOutOfApp,
} from './api-keys.queries.ts'
import { assertMayMakeKeys, assertStillActive, canSeeKey, expiryOf, scopesOf, toApiKey } from './api-keys.rules.ts'
import type { ApiKey, ApiKeyChanges, ApiKeyFilter, CreatedApiKey, NewApiKey } from './api-keys.schemas.ts'
import { pageOfKeys } from './list-api-keys.queries.ts'
import { makeKey, settingsForMaking } from './make-key.service.ts'

type Services = { clock: Clock }

/** The key itself is in the answer and nowhere else: the database keeps its digest. */
export async function createApiKey(
  tx: TenantTx,
  actor: SignedIn,
  input: NewApiKey,
  { clock }: Services,
): Promise<CreatedApiKey> {
  const now = clock.now()
  const security = await settingsForMaking(tx, actor)
  const { name, preset = null, connected_app_id = null } = input
  const fields = { name, scopes: scopesOf(input), preset, connected_app_id, expires_at: expiryOf(input, security, now) }
  await lockKeys(tx)
  await assertAppExists(tx, connected_app_id)
  return await makeKey(tx, actor, fields, now)
}

/** Everybody sees the keys they made; admins see all. */
export async function listApiKeys(
  tx: TenantTx,
  { role, userId }: SignedIn,
  filter: ApiKeyFilter,
  { clock }: Services,
): Promise<Page<ApiKey>> {
  const now = clock.now()
  const created_by = role === 'admin' ? undefined : userId
  const page = await pageOfKeys(tx, { ...filter, created_by }, now)
  return { ...page, items: page.items.map((row) => toApiKey(row, now)) }
}

export async function getApiKey(tx: TenantTx, actor: SignedIn, id: string, { clock }: Services): Promise<ApiKey> {
  return toApiKey(await getVisibleKey(tx, actor, id), clock.now())
}

export async function getVisibleKey(tx: TenantTx, actor: SignedIn, id: string): Promise<ApiKeyRow> {
  const key = await getKey(tx, id)
  if (!canSeeKey(actor, key)) throw notFound('API key')
  return key
}

/** Whoever may no longer make keys cannot let one that is left do more, either. */
export async function changeApiKey(
  tx: TenantTx,
  actor: SignedIn,
  id: string,
  asked: ApiKeyChanges,
  { clock }: Services,
): Promise<ApiKey> {
  const now = clock.now()
  await lockKeys(tx)
  const key = await getVisibleKey(tx, actor, id)
  if (asked.scopes) assertMayMakeKeys(actor, await readSettings(tx, 'security'))
  assertStillActive(key, now)
  await assertAppExists(tx, asked.connected_app_id)
  const changes = realChanges(key, asked)
  const changed = Object.keys(changes)
  if (changed.length === 0) return toApiKey(key, now)

  await changeKeyFields(tx, id, changes)
  const after = { ...key, ...changes }
  await record(tx, 'api_key.updated', { id, label: after.name, before: key, after })
  await emit(tx, apiKeyUpdated, { id }, { changed })
  return toApiKey(await getKey(tx, id), now)
}

async function assertAppExists(tx: TenantTx, id: string | null | undefined): Promise<void> {
  if (id && !(await hasConnectedApp(tx, id))) throw unknownReference('/connected_app_id', 'connected app')
}

/** Revoking what is revoked changes nothing. */
export async function revokeApiKey(tx: TenantTx, actor: SignedIn, id: string): Promise<void> {
  await lockKeys(tx)
  const { created_by } = await getVisibleKey(tx, actor, id)
  await revokeKeys(tx, [id], created_by === actor.userId ? 'revoked_by_creator' : 'revoked_by_admin')
}

// For good: a key that was revoked never works again. Each tells how many there were.

export async function revokeKeys(tx: TenantTx, ids: readonly string[], reason: string): Promise<number> {
  if (ids.length === 0) return 0
  return await announceRevoked(tx, reason, await markKeysRevoked(tx, ids, revocation(tx, reason)))
}

export async function revokeKeysOf(tx: TenantTx, userId: string, reason: string): Promise<number> {
  await lockKeys(tx)
  return await announceRevoked(tx, reason, await markKeysOfUserRevoked(tx, userId, revocation(tx, reason)))
}

/** The keys outlive the app only as a memory: they belong to no app any more. */
export async function revokeKeysOfApp(tx: TenantTx, appId: string, reason: string): Promise<number> {
  const revoked = await markKeysOfAppRevoked(tx, appId, revocation(tx, reason))
  await takeKeysOutOfApp(tx, appId)
  return await announceRevoked(tx, reason, revoked)
}

const revocation = (tx: TenantTx, reason: string) => ({ reason, revokedBy: actorOf(tx).userId })

async function announceRevoked(tx: TenantTx, reason: string, revoked: { id: string; name: string }[]): Promise<number> {
  await recordEach(
    tx,
    'api_key.revoked',
    revoked.map(({ id, name }) => ({ id, label: name, reason })),
  )
  for (const { id, name } of revoked) await emit(tx, apiKeyRevoked, { id }, { name, reason })
  return revoked.length
}
