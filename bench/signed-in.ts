import type pg from 'pg'
import { systemClock } from '#platform/clock'
import { type Environment, readConfig } from '#platform/config'
import { newId } from '#platform/ids'
import { openKeyRing } from '../src/modules/identity/auth/key-ring.ts'
import { openTokens } from '../src/modules/identity/auth/tokens.ts'
import type { openPeople } from './people.ts'

type Person = { tenantId: string; userId: string }

/** A session of somebody, put there directly. Returns the access token. */
export async function signIn(owner: pg.Pool, { tenantId, userId }: Person, environment: Environment): Promise<string> {
  const sessionId = newId()
  await owner.query(
    `insert into identity.sessions (tenant_id, id, user_id, auth_method, authenticated_at, ip, last_seen_at, idle_expires_at, expires_at)
     values ($1, $2, $3, 'password', now(), '127.0.0.1', now(), now() + interval '1 day', now() + interval '1 day')`,
    [tenantId, sessionId, userId],
  )
  const config = readConfig(environment)
  const tokens = openTokens({ keyRing: openKeyRing(config), config, clock: systemClock })
  return await tokens.signAccess({ tenantId, userId, sessionId, authenticatedAt: new Date(), method: 'password' })
}

/** Opens the workspace at this slug and signs its first person in, as admin. */
export async function signInAt(
  { bare, tenantId, ids }: Awaited<ReturnType<typeof openPeople>>,
  slug: string,
  environment: Environment,
): Promise<string> {
  const userId = ids[0]!
  await bare.pool.query(`insert into identity.tenants (id, slug, name) values ($1, $2, 'Engines')`, [tenantId, slug])
  await bare.pool.query(`update identity.users set role = 'admin' where tenant_id = $1 and id = $2`, [tenantId, userId])
  return await signIn(bare.pool, { tenantId, userId }, environment)
}
