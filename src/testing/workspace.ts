import { hash } from '@node-rs/argon2'
import type pg from 'pg'
import type { TokenService } from '#modules/identity'
import type { Role } from '#platform/access'
import { newId } from '#platform/ids'
import type { createTestClients } from './client.ts'

/** The password of all test users. */
export const password = 'correct horse battery staple'
let passwordHash: Promise<string> | undefined

type TestWorld = {
  owner: pg.Pool
  client: ReturnType<typeof createTestClients>['client']
  tokens: TokenService
  now(): Date
  domain: string
}
export type TestUser = Awaited<ReturnType<Awaited<ReturnType<typeof createTestWorkspace>>['person']>>

let count = 0

/** Creates a workspace with one user per role, inserted directly into the database for speed. */
export async function createTestWorkspace(world: TestWorld, options: { slug?: string; name?: string } = {}) {
  const id = newId()
  const slug = options.slug ?? `t${process.pid}-${++count}`
  const name = options.name ?? `Workspace ${slug}`
  const host = `${slug}.${world.domain}`
  await world.owner.query('insert into identity.tenants (id, slug, name) values ($1, $2, $3)', [id, slug, name])

  const roles = new Map<string, Role>()

  /** Creates a user of this workspace with a password session. */
  async function person(role: Role, profile: { email?: string; name?: string } = {}) {
    const userId = newId()
    const email = profile.email ?? `${role}-${userId.slice(-8)}@${slug}.example`
    const fullName = profile.name ?? `${role[0]!.toUpperCase()}${role.slice(1)} ${userId.slice(-4)}`
    await insertUser(world, id, { userId, email, name: fullName, role })
    roles.set(userId, role)
    return { userId, email, name: fullName, role, ...(await signIn(userId)) }
  }

  async function signIn(userId: string) {
    const { sessionId, refreshToken } = await insertSession(world, id, userId)
    const now = world.now()
    const grant = { tenantId: id, userId, sessionId, authenticatedAt: now, method: 'password' }
    const accessToken = await world.tokens.signAccessToken(grant)
    const authorized = world.client({
      host,
      role: roles.get(userId),
      headers: { authorization: `Bearer ${accessToken}` },
    })
    return { sessionId, accessToken, refreshToken, ...authorized }
  }

  const [admin, manager, member, viewer] = await Promise.all(
    (['admin', 'manager', 'member', 'viewer'] as const).map((role) => person(role)),
  )
  /** Selects one column of this tenant's rows as the database owner. */
  const column = async (text: string) =>
    (await world.owner.query({ text, values: [id], rowMode: 'array' })).rows.map(([value]) => value)
  return {
    id,
    slug,
    name,
    host,
    admin: admin!,
    manager: manager!,
    member: member!,
    viewer: viewer!,
    anonymous: world.client({ host }),
    bearer: (authorization: string) => world.client({ host, headers: { authorization } }),
    person,
    signIn,
    sql: (query: string | pg.QueryConfig, values: unknown[] = []) => world.owner.query(query, values),
    events: () => column('select type from platform.outbox_events where tenant_id = $1 order by id'),
    audit: () => column('select action from platform.audit_log where tenant_id = $1 order by id'),
    jobs: () => column(`select data->>'job' from pgboss.job where group_id = $1::text order by created_on`),
  }
}

type NewTestUser = { userId: string; email: string; name: string; role: Role }

async function insertUser({ owner, now }: TestWorld, tenantId: string, { userId, email, name, role }: NewTestUser) {
  passwordHash ??= hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const searchText = `${name} ${email}`.toLowerCase()
  await owner.query(
    `with person as (
       insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text, email_verified_at)
       values ($1, $2, $3, $4, $5, 'active', $6, 'admin', $7, $8) returning tenant_id, id
     ), presence as (insert into identity.user_presence (tenant_id, user_id) select tenant_id, id from person)
     insert into identity.user_credentials (tenant_id, user_id, password_hash, password_changed_at)
     select tenant_id, id, $9, $8 from person`,
    [tenantId, userId, email, name, role, ['manager', 'member'].includes(role), searchText, now(), await passwordHash],
  )
}

async function insertSession({ owner, now, tokens }: TestWorld, tenantId: string, userId: string) {
  const [sessionId, tokenId, kid] = [newId(), newId(), tokens.currentKid]
  const issuedAt = new Date(Math.floor(now().getTime() / 1_000) * 1_000)
  const expiresAt = new Date(issuedAt.getTime() + 14 * 86_400_000)
  await owner.query(
    `insert into identity.sessions (tenant_id, id, user_id, auth_method, authenticated_at, ip, last_seen_at, idle_expires_at, expires_at)
     values ($1, $2, $3, 'password', $4, '127.0.0.1', $4, $5, $5::timestamptz + interval '16 days')`,
    [tenantId, sessionId, userId, issuedAt, expiresAt],
  )
  await owner.query(
    `insert into identity.refresh_tokens (tenant_id, id, session_id, seq, issued_at, expires_at, signing_kid)
     values ($1, $2, $3, 1, $4, $5, $6)`,
    [tenantId, tokenId, sessionId, issuedAt, expiresAt, kid],
  )
  const refreshToken = await tokens.signRefreshToken({
    tenantId,
    userId,
    sessionId,
    id: tokenId,
    issuedAt,
    expiresAt,
    kid,
  })
  return { sessionId, refreshToken }
}
