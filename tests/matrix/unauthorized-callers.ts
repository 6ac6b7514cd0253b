import { newId } from '#platform/ids'
import { generateKeyEntry } from '#platform/secrets'
import { generateKey } from '../../src/modules/identity/credentials/api-keys/key-format.rules.ts'
import { createKeyRing } from '../../src/modules/identity/credentials/tokens/key-ring.ts'
import { createTokenService } from '../../src/modules/identity/credentials/tokens/tokens.ts'
import { endSession, insertApiKey } from './credentials.ts'
import type { MatrixApp } from './matrix-app.ts'
import type { Client } from './matrix-tenant.ts'

export type UnauthorizedCaller = {
  name: string
  /** Host of the request: own tenant, other tenant, or a host without a workspace. */
  host: 'own' | 'other' | 'none'
  client: Client
  expected: string
  hasCredential: boolean
}

/** Headers that proxies and frameworks may take for the requested host or tenant. */
export const forwardingHeaders = (host: string, tenantId: string) => ({
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

/** Creates callers with a missing, invalid, expired or foreign credential, or at the wrong host. */
export async function createUnauthorizedCallers(app: MatrixApp): Promise<UnauthorizedCaller[]> {
  const [own, other] = [app.ownTenant.workspace, app.otherTenant.workspace]
  const [ownKey, otherKey] = [`ApiKey ${await insertApiKey(own)}`, `ApiKey ${await insertApiKey(other)}`]
  const [ownToken, otherToken] = [`Bearer ${own.admin.accessToken}`, `Bearer ${other.admin.accessToken}`]
  const toOwn = forwardingHeaders(own.host, own.id)
  const toOther = forwardingHeaders(other.host, other.id)
  const createCaller = (
    host: UnauthorizedCaller['host'],
    name: string,
    authorization: string | undefined,
    expected: string,
    headers = {},
  ): UnauthorizedCaller => ({
    host,
    name,
    expected,
    hasCredential: authorization !== undefined,
    client: app.client({
      host: { own: own.host, other: other.host, none: app.domain }[host],
      headers: { ...(authorization !== undefined && { authorization }), ...headers },
    }),
  })
  const [required, invalid] = ['401 authentication_required', '401 invalid_token']
  const [mismatch, unknownTenant] = ['401 tenant_mismatch', '404 tenant_not_found']

  return [
    createCaller('own', 'without a credential', undefined, required),
    createCaller('own', 'with an arbitrary word as credential', 'nonsense', required),
    createCaller('own', 'with a scheme without a token', 'Bearer', required),
    createCaller('own', 'with Basic authentication', 'Basic YWRtaW46YWRtaW4=', required),
    createCaller('own', 'with a malformed token', 'Bearer not-a-token', invalid),
    createCaller('own', 'with a malformed key', 'ApiKey not-a-key', invalid),
    createCaller('own', 'with a mistyped key', mistype(ownKey), invalid),
    createCaller('own', 'with an unknown key', `ApiKey ${generateKey()}`, invalid),
    ...(await createInvalidCredentials(app)).map(([name, authorization, expected]) =>
      createCaller('own', name, authorization, expected),
    ),
    createCaller('own', "with the other tenant's session", otherToken, mismatch),
    createCaller('own', "with the other tenant's key", otherKey, invalid),
    createCaller('own', "with the other tenant's session, forwarded for its host", otherToken, mismatch, toOther),
    createCaller('own', "with the other tenant's key, forwarded for its host", otherKey, invalid, toOther),
    createCaller('other', "with an own session at the other tenant's host", ownToken, mismatch),
    createCaller('other', "with an own key at the other tenant's host", ownKey, invalid),
    createCaller('other', "at the other tenant's host, forwarded for the own host", ownToken, mismatch, toOwn),
    createCaller('other', "with a key at the other tenant's host, forwarded for the own host", ownKey, invalid, toOwn),
    createCaller('none', 'at the main domain', ownToken, unknownTenant),
    createCaller('none', 'at the main domain, forwarded for the own host', ownToken, unknownTenant, toOwn),
    ...[
      `unknown.${app.domain}`,
      `${own.host}, ${other.host}`,
      `${own.host}@${other.host}`,
      `a.${own.host}`,
      '127.0.0.1',
    ].map((host) => createCaller('none', `at the host ${host}`, ownToken, unknownTenant, { host })),
  ]
}

const mistype = (key: string) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`

type InvalidCredential = [name: string, authorization: string, expected: string]

async function createInvalidCredentials(app: MatrixApp): Promise<InvalidCredential[]> {
  const { config, tokens } = app
  const { workspace } = app.ownTenant
  const { id: tenantId, admin } = workspace
  const now = new Date()
  const grant = { tenantId, userId: admin.userId, sessionId: admin.sessionId, authenticatedAt: now, method: 'password' }
  const hourAgo = { now: () => new Date(Date.now() - 3_600_000) }
  const pastTokens = createTokenService({ config, clock: hourAgo, keyRing: createKeyRing(config) })
  const forgedConfig = { ...config, SIGNING_KEYS: generateKeyEntry('test') }
  const forgedTokens = createTokenService({ config, clock: { now: () => now }, keyRing: createKeyRing(forgedConfig) })
  const [revoked, expired] = [await workspace.signIn(admin.userId), await workspace.signIn(admin.userId)]
  await endSession(workspace, revoked.sessionId, 'revoked')
  await endSession(workspace, expired.sessionId, 'expired')
  const { sessionId, userId } = app.otherTenant.workspace.admin
  const yesterday = new Date(Date.now() - 86_400_000)

  const bearer: InvalidCredential[] = [
    ['with an expired token', await pastTokens.signAccessToken(grant), '401 token_expired'],
    ['with a token of an expired session', expired.accessToken, '401 token_expired'],
    ['with a token of a revoked session', revoked.accessToken, '401 token_revoked'],
    [
      'with a token of an unknown session',
      await tokens.signAccessToken({ ...grant, sessionId: newId() }),
      '401 token_revoked',
    ],
    [
      "with an own token for the other tenant's session",
      await tokens.signAccessToken({ ...grant, sessionId, userId }),
      '401 token_revoked',
    ],
    ['with a refresh token', admin.refreshToken, '401 invalid_token'],
    ['with a token signed with another key', await forgedTokens.signAccessToken(grant), '401 invalid_token'],
    ['with an unsigned token', removeSignature(admin.accessToken), '401 invalid_token'],
  ]
  const keys: InvalidCredential[] = [
    ['with an expired key', await insertApiKey(workspace, { expiresAt: yesterday }), '401 token_expired'],
    ['with a revoked key', await insertApiKey(workspace, { revokedAt: yesterday }), '401 token_revoked'],
  ]
  return [
    ...bearer.map(([name, token, expected]): InvalidCredential => [name, `Bearer ${token}`, expected]),
    ...keys.map(([name, key, expected]): InvalidCredential => [name, `ApiKey ${key}`, expected]),
  ]
}

function removeSignature(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: 'test' })).toString('base64url')
  return `${header}.${token.split('.')[1]}.`
}
