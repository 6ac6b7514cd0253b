import { type Insertable, type Selectable, type SelectQueryBuilder, sql, type Updateable } from 'kysely'
import { acquireAdvisoryLock, type Database, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

export const keyColumns = [
  'id',
  'name',
  'key_prefix',
  'last_four',
  'scopes',
  'preset',
  'connected_app_id',
  'expires_at',
  'last_used_at',
  'last_used_ip',
  'created_by',
  'created_at',
  'revoked_at',
  'revoke_reason',
  'requests_per_minute',
] as const

type Keys = SelectQueryBuilder<
  Database,
  'identity.api_keys',
  Pick<Selectable<Database['identity.api_keys']>, (typeof keyColumns)[number]>
>

const limitOne = sql.lit(1)

/** Adds creator and app names with lateral lookups, so that the cost depends on the page and not on the tenant. */
export const selectKeyDetails = (tx: TenantTx, keys: Keys) =>
  tx
    .selectFrom(keys.as('key'))
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('identity.users as u')
          .select(['u.name', 'u.role'])
          .whereRef('u.id', '=', 'key.created_by')
          .limit(limitOne)
          .as('creator'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      ({ selectFrom }) =>
        selectFrom('identity.connected_apps as a')
          .select('a.name')
          .whereRef('a.id', '=', 'key.connected_app_id')
          .limit(limitOne)
          .as('app'),
      (join) => join.onTrue(),
    )
    .select(keyColumns.map((column) => `key.${column}` as const))
    .select(['app.name as connected_app_name', 'creator.name as creator_name', 'creator.role as creator_role'])

export type ApiKeyRow = Awaited<ReturnType<typeof listApiKeysById>>[number]

export async function getApiKeyRow(tx: TenantTx, id: string): Promise<ApiKeyRow> {
  const [key] = await listApiKeysById(tx, [id])
  if (!key) throw notFound('API key')
  return key
}

export const listApiKeysById = (tx: TenantTx, ids: readonly string[]) =>
  selectKeyDetails(
    tx,
    tx.selectFrom('identity.api_keys').select(keyColumns).where('id', '=', sql<string>`any(${ids}::uuid[])`),
  ).execute()

/** Advisory lock: serializes changes of API keys and connected apps in a workspace. Take it after any user lock. */
export async function lockApiKeys(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'api_keys')
}

/** Blocks a concurrent deactivation of the creator, which revokes their keys. */
export function lockKeyCreatorShared(tx: TenantTx, userId: string) {
  return tx
    .selectFrom('identity.users')
    .select(['status', 'source', 'email_verified_at'])
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirstOrThrow(() => notFound('user'))
}

export async function insertApiKey(tx: TenantTx, key: Insertable<Database['identity.api_keys']>): Promise<void> {
  await tx.insertInto('identity.api_keys').values(key).execute()
}

export async function updateApiKeyRow(
  tx: TenantTx,
  id: string,
  changes: Updateable<Database['identity.api_keys']>,
): Promise<void> {
  await tx.updateTable('identity.api_keys').set(changes).where('id', '=', id).execute()
}

export function countLiveKeys(tx: TenantTx, userId: string, now: Date) {
  return tx
    .selectFrom('identity.api_keys')
    .select([sql<number>`count(*)`.as('all'), sql<number>`count(*) filter (where created_by = ${userId})`.as('own')])
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
}

export async function connectedAppExists(tx: TenantTx, id: string): Promise<boolean> {
  const existing = await tx.selectFrom('identity.connected_apps').select('id').where('id', '=', id).executeTakeFirst()
  return existing !== undefined
}

export async function isRotated(tx: TenantTx, id: string): Promise<boolean> {
  const existing = await tx
    .selectFrom('identity.api_keys')
    .select('id')
    .where('rotated_from_id', '=', id)
    .executeTakeFirst()
  return existing !== undefined
}

type Revocation = { reason: string; revokedBy: string | null }

const updateRevoked = (tx: TenantTx, { reason, revokedBy }: Revocation) =>
  tx
    .updateTable('identity.api_keys')
    .set({ revoked_at: sql`now()`, revoke_reason: reason, revoked_by: revokedBy })
    .where('revoked_at', 'is', null)
    .returning(['id', 'name'])

export const markKeysRevoked = (tx: TenantTx, ids: readonly string[], revocation: Revocation) =>
  updateRevoked(tx, revocation).where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()

export const markKeysOfUserRevoked = (tx: TenantTx, userId: string, revocation: Revocation) =>
  updateRevoked(tx, revocation).where('created_by', '=', userId).execute()

export const markKeysOfAppRevoked = (tx: TenantTx, appId: string, revocation: Revocation) =>
  updateRevoked(tx, revocation).where('connected_app_id', '=', appId).execute()

export async function detachKeysFromApp(tx: TenantTx, appId: string): Promise<void> {
  await tx
    .updateTable('identity.api_keys')
    .set({ connected_app_id: null })
    .where('connected_app_id', '=', appId)
    .execute()
}
