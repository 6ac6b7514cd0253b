import { newId } from '#platform/ids'
import { newKeyLine } from '#platform/secrets'
import { newKeyText } from '../../src/modules/identity/api-keys/key-text.rules.ts'
import { openKeyRing } from '../../src/modules/identity/auth/key-ring.ts'
import { openTokens } from '../../src/modules/identity/auth/tokens.ts'
import { endSession, giveKey } from './credentials.ts'
import type { Client } from './place.ts'
import type { World } from './world.ts'

/** Somebody who must not get in, and what they are told. */
export type Stranger = {
  name: string
  /** The host they come to: ours, theirs, or one that names no workspace. */
  at: 'ours' | 'theirs' | 'nowhere'
  client: Client
  answers: string
  hasCredential: boolean
}

/** Everything a proxy might say about where a request was going, and what others have taken for it. */
export const forwarding = (host: string, tenantId: string) => ({
  'x-forwarded-host': host,
  'x-forwarded-server': host,
  'x-original-host': host,
  'x-host': host,
  'x-http-host-override': host,
  forwarded: `for=127.0.0.1;host=${host};proto=https`,
  'x-original-url': `https://${host}/`,
  'x-tenant-id': tenantId,
  origin: `https://${host}`,
  referer: `https://${host}/`,
})

/** Everybody who comes without a credential of ours, with one that is over, or to the wrong door. */
export async function strangersOf(world: World): Promise<Stranger[]> {
  const [us, them] = [world.ours.workspace, world.theirs.workspace]
  const [ourKey, theirKey] = [await giveKey(us), await giveKey(them)]
  const [ourToken, theirToken] = [us.admin.accessToken, them.admin.accessToken]
  const [toUs, toThem] = [forwarding(us.host, us.id), forwarding(them.host, them.id)]
  const who = (at: Stranger['at'], name: string, authorization: string | undefined, answers: string, more = {}) => ({
    at,
    name,
    answers,
    hasCredential: authorization !== undefined,
    client: world.client({
      host: { ours: us.host, theirs: them.host, nowhere: world.domain }[at],
      headers: { ...(authorization !== undefined && { authorization }), ...more },
    }),
  })

  return [
    who('ours', 'without a credential', undefined, '401 authentication_required'),
    who('ours', 'with a word for a credential', 'nonsense', '401 authentication_required'),
    who('ours', 'with a scheme and nothing else', 'Bearer', '401 authentication_required'),
    who('ours', 'with a password for a credential', 'Basic YWRtaW46YWRtaW4=', '401 authentication_required'),
    who('ours', 'with a token that is none', 'Bearer not-a-token', '401 invalid_token'),
    who('ours', 'with a key that is none', 'ApiKey not-a-key', '401 invalid_token'),
    who('ours', 'with a mistyped key', `ApiKey ${mistyped(ourKey)}`, '401 invalid_token'),
    who('ours', 'with a key of nobody', `ApiKey ${newKeyText()}`, '401 invalid_token'),
    ...(await tokensThatAreOver(world)).map(([name, token, answers]) => who('ours', name, `Bearer ${token}`, answers)),
    ...(await keysThatAreOver(world)).map(([name, key, answers]) => who('ours', name, `ApiKey ${key}`, answers)),
    who('ours', 'with their session', `Bearer ${theirToken}`, '401 tenant_mismatch'),
    who('ours', 'with their key', `ApiKey ${theirKey}`, '401 invalid_token'),
    who('ours', 'with their session, said to be for their host', `Bearer ${theirToken}`, '401 tenant_mismatch', toThem),
    who('ours', 'with their key, said to be for their host', `ApiKey ${theirKey}`, '401 invalid_token', toThem),
    who('theirs', 'with our session at their host', `Bearer ${ourToken}`, '401 tenant_mismatch'),
    who('theirs', 'with our key at their host', `ApiKey ${ourKey}`, '401 invalid_token'),
    who('theirs', 'at their host, said to be for ours', `Bearer ${ourToken}`, '401 tenant_mismatch', toUs),
    who('theirs', 'at their host with our key, said to be for ours', `ApiKey ${ourKey}`, '401 invalid_token', toUs),
    who('nowhere', 'at the main domain', `Bearer ${ourToken}`, '404 tenant_not_found'),
    who('nowhere', 'at the main domain, said to be for us', `Bearer ${ourToken}`, '404 tenant_not_found', toUs),
    ...[
      `nobody.${world.domain}`,
      `${us.host}, ${them.host}`,
      `${us.host}@${them.host}`,
      `a.${us.host}`,
      '127.0.0.1',
    ].map((host) => who('nowhere', `at the host ${host}`, `Bearer ${ourToken}`, '404 tenant_not_found', { host })),
  ]
}

const mistyped = (key: string) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`

type Over = [name: string, credential: string, answers: string]

async function tokensThatAreOver(world: World): Promise<Over[]> {
  const { config, tokens } = world
  const { workspace } = world.ours
  const { id: tenantId, admin } = workspace
  const now = new Date()
  const grant = { tenantId, userId: admin.userId, sessionId: admin.sessionId, authenticatedAt: now, method: 'password' }
  const hourAgo = { now: () => new Date(Date.now() - 3_600_000) }
  const old = openTokens({ config, clock: hourAgo, keyRing: openKeyRing(config) })
  const forged = { ...config, SIGNING_KEYS: newKeyLine('test') }
  const forger = openTokens({ config, clock: { now: () => now }, keyRing: openKeyRing(forged) })
  const [revoked, expired] = [await workspace.signIn(admin.userId), await workspace.signIn(admin.userId)]
  await endSession(workspace, revoked.sessionId, 'revoked')
  await endSession(workspace, expired.sessionId, 'expired')
  const { sessionId, userId } = world.theirs.workspace.admin

  return [
    ['with an expired token', await old.signAccess(grant), '401 token_expired'],
    ['with a token of an expired session', expired.accessToken, '401 token_expired'],
    ['with a token of a revoked session', revoked.accessToken, '401 token_revoked'],
    ['with a token of no session', await tokens.signAccess({ ...grant, sessionId: newId() }), '401 token_revoked'],
    [
      'with a token of ours for their session',
      await tokens.signAccess({ ...grant, sessionId, userId }),
      '401 token_revoked',
    ],
    ['with a refresh token', admin.refreshToken, '401 invalid_token'],
    ['with a token somebody else signed', await forger.signAccess(grant), '401 invalid_token'],
    ['with a token nobody signed', unsigned(admin.accessToken), '401 invalid_token'],
  ]
}

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: 'test' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}

async function keysThatAreOver({ ours: { workspace } }: World): Promise<Over[]> {
  const yesterday = new Date(Date.now() - 86_400_000)
  return [
    ['with an expired key', await giveKey(workspace, { expiresAt: yesterday }), '401 token_expired'],
    ['with a revoked key', await giveKey(workspace, { revokedAt: yesterday }), '401 token_revoked'],
  ]
}
