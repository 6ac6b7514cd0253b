import type pg from 'pg'
import { systemClock } from '#platform/clock'
import { type Environment, readConfig } from '#platform/config'
import { newId } from '#platform/ids'
import { createKeyRing } from '../src/modules/identity/credentials/tokens/key-ring.ts'
import { createTokenService } from '../src/modules/identity/credentials/tokens/tokens.ts'
import type { openUsersDatabase } from './users-database.ts'

type User = { tenantId: string; userId: string }

/** Inserts a session directly into the database and returns its access token. */
export async function createAccessToken(
  owner: pg.Pool,
  { tenantId, userId }: User,
  environment: Environment,
): Promise<string> {
  const sessionId = newId()
  await owner.query(
    `insert into identity.sessions (tenant_id, id, user_id, auth_method, authenticated_at, ip, last_seen_at, idle_expires_at, expires_at)
     values ($1, $2, $3, 'password', now(), '127.0.0.1', now(), now() + interval '1 day', now() + interval '1 day')`,
    [tenantId, sessionId, userId],
  )
  const config = readConfig(environment)
  const tokens = createTokenService({ keyRing: createKeyRing(config), config, clock: systemClock })
  return await tokens.signAccessToken({ tenantId, userId, sessionId, authenticatedAt: new Date(), method: 'password' })
}

/** Creates the workspace and signs in its first user as admin. */
export async function signInAdmin(
  { ownerDb, tenantId, ids }: Awaited<ReturnType<typeof openUsersDatabase>>,
  slug: string,
  environment: Environment,
): Promise<string> {
  const userId = ids[0]!
  await ownerDb.pool.query(`insert into identity.tenants (id, slug, name) values ($1, $2, 'Engines')`, [tenantId, slug])
  await ownerDb.pool.query(`update identity.users set role = 'admin' where tenant_id = $1 and id = $2`, [
    tenantId,
    userId,
  ])
  return await createAccessToken(ownerDb.pool, { tenantId, userId }, environment)
}
