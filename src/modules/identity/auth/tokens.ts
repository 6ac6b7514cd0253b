import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import { unauthenticated } from '#platform/errors'
import { newId } from '#platform/ids'
import type { KeyRing, SigningKey } from './key-ring.ts'

export const accessSeconds = 900
export const leewaySeconds = 5

type Type = 'at+jwt' | 'rt+jwt' | 'sso-state+jwt'

/** What a token vouches for. Rights and names are not in it: they are read anew on every request. */
export type Claims = { tenantId: string; userId: string; sessionId: string; id: string; expiresAt: Date }

type Bearer = { tenantId: string; userId: string; sessionId: string }
export type AccessGrant = Bearer & {
  authenticatedAt: Date
  method: string
  actorUserId?: string | null
  /** Where the token is not to be renewed, it lives as long as its session. */
  expiresAt?: Date
}
export type RefreshGrant = Bearer & { id: string; issuedAt: Date; expiresAt: Date; kid: string }

/** What a provider hands back unread when somebody signs on there: for which workspace, and which sign-on. */
export type SsoState = { slug: string; flowId: string; provider: string }

export type Tokens = {
  signAccess(grant: AccessGrant): Promise<string>
  /** The same grant gives the same text, byte for byte: Ed25519 leaves nothing to chance. */
  signRefresh(grant: RefreshGrant): Promise<string>
  readAccess(token: string): Promise<Claims>
  readRefresh(token: string): Promise<Claims>
  signState(state: SsoState, expiresAt: Date): Promise<string>
  readState(token: string): Promise<SsoState>
  /** The key that signs today. */
  currentKid: string
}

type Options = { keyRing: KeyRing; config: Pick<Config, 'APP_SCHEME' | 'APP_DOMAIN'>; clock: Clock }

export function openTokens({ keyRing, config, clock }: Options): Tokens {
  const issuer = `${config.APP_SCHEME}://${config.APP_DOMAIN}`

  const sign = (payload: JWTPayload, typ: Type, { kid, privateKey }: SigningKey) =>
    new SignJWT({ iss: issuer, ...payload }).setProtectedHeader({ alg: 'EdDSA', kid, typ }).sign(privateKey)

  async function read<T>(token: string, typ: Type, { claims, toValue }: Contents<T>): Promise<T> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keyNamedIn(keyRing), {
        algorithms: ['EdDSA'],
        issuer,
        requiredClaims: [...claims, 'exp'],
        clockTolerance: leewaySeconds,
        currentDate: clock.now(),
      })
      if (protectedHeader.typ !== typ) throw invalidToken()
      return toValue(payload)
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw expiredToken()
      throw invalidToken()
    }
  }

  return {
    currentKid: keyRing.current.kid,
    signAccess({ authenticatedAt, method, actorUserId, expiresAt, ...bearer }) {
      const issuedAt = seconds(clock.now())
      const exp = expiresAt ? seconds(expiresAt) : issuedAt + accessSeconds
      const claims = { ...claimsFor(bearer), jti: newId(), iat: issuedAt, exp }
      const proof = { auth_time: seconds(authenticatedAt), amr: [methods[method] ?? method] }
      const act = actorUserId ? { act: { sub: actorUserId } } : {}
      return sign({ ...claims, ...proof, ...act }, 'at+jwt', keyRing.current)
    },
    signRefresh({ id, issuedAt, expiresAt, kid, ...bearer }) {
      const claims = { ...claimsFor(bearer), jti: id, iat: seconds(issuedAt), exp: seconds(expiresAt) }
      return sign(claims, 'rt+jwt', keyRing.find(kid) ?? keyRing.current)
    },
    readAccess: (token) => read(token, 'at+jwt', ofSession),
    readRefresh: (token) => read(token, 'rt+jwt', ofSession),
    signState({ slug: t, flowId: f, provider: p }, expiresAt) {
      return sign({ t, f, p, exp: seconds(expiresAt) }, 'sso-state+jwt', keyRing.current)
    },
    readState: (token) => read(token, 'sso-state+jwt', ofSignOn),
  }
}

export const invalidToken = () => unauthenticated('invalid_token', 'The token is not valid. Sign in again.')
export const expiredToken = () =>
  unauthenticated('token_expired', 'The token has expired. Refresh it or sign in again.')
export const tenantMismatch = () =>
  unauthenticated('tenant_mismatch', 'This token belongs to another workspace. Sign in to this one.')
export const revokedToken = () => unauthenticated('token_revoked', 'The token was revoked. Sign in again.')

/** How somebody proved who they are, in the words of RFC 8176 where it has one. */
const methods: Record<string, string> = { password: 'pwd', signup: 'pwd' }

const seconds = (instant: Date) => Math.floor(instant.getTime() / 1_000)

const claimsFor = ({ tenantId, userId, sessionId }: Bearer) => ({ sub: userId, tid: tenantId, sid: sessionId })

/** Our own tokens have these three headers and no other, least of all one that says where a key is to be found. */
const keyNamedIn =
  (keyRing: KeyRing): JWTVerifyGetKey =>
  (header) => {
    if (Object.keys(header).sort().join() !== 'alg,kid,typ') throw invalidToken()
    const key = keyRing.find(String(header.kid))
    if (!key) throw invalidToken()
    return key.publicKey
  }

/** What must stand in a token of a kind, and what is read from it. */
type Contents<T> = { claims: string[]; toValue(payload: JWTPayload): T }

function claimsOf({ sub, tid, sid, jti, exp }: JWTPayload): Claims {
  const ids = [sub, tid, sid, jti]
  if (!ids.every((id) => typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id))) throw invalidToken()
  const [userId, tenantId, sessionId, id] = ids as [string, string, string, string]
  return { tenantId, userId, sessionId, id, expiresAt: new Date(exp! * 1_000) }
}

const ofSession: Contents<Claims> = { claims: ['sub', 'tid', 'sid', 'jti', 'iat'], toValue: claimsOf }

const ofSignOn: Contents<SsoState> = {
  claims: ['t', 'f', 'p'],
  toValue: ({ t, f, p }) => ({ slug: String(t), flowId: String(f), provider: String(p) }),
}
