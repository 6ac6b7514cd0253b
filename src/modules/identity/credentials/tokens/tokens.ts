import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import { unauthenticated } from '#platform/errors'
import { newId } from '#platform/ids'
import type { KeyRing, SigningKey } from './key-ring.ts'

export const accessTokenSeconds = 900
export const leewaySeconds = 5

type TokenType = 'at+jwt' | 'rt+jwt' | 'sso-state+jwt'

/** Identity only. Role, scopes and names are read from the database on every request. */
export type TokenClaims = { tenantId: string; userId: string; sessionId: string; id: string; expiresAt: Date }

type Bearer = { tenantId: string; userId: string; sessionId: string }
export type AccessGrant = Bearer & {
  authenticatedAt: Date
  method: string
  actorUserId?: string | null
  /** Set for sessions without a refresh token. Defaults to `accessTokenSeconds` from now. */
  expiresAt?: Date
}
export type RefreshGrant = Bearer & { id: string; issuedAt: Date; expiresAt: Date; kid: string }

export type SsoState = { slug: string; flowId: string; provider: string }

export type TokenService = {
  signAccessToken(grant: AccessGrant): Promise<string>
  /** Deterministic: the same grant gives the same token, because Ed25519 signatures are deterministic. */
  signRefreshToken(grant: RefreshGrant): Promise<string>
  verifyAccessToken(token: string): Promise<TokenClaims>
  verifyRefreshToken(token: string): Promise<TokenClaims>
  signSsoState(state: SsoState, expiresAt: Date): Promise<string>
  verifySsoState(token: string): Promise<SsoState>
  currentKid: string
}

type Options = { keyRing: KeyRing; config: Pick<Config, 'APP_SCHEME' | 'APP_DOMAIN'>; clock: Clock }

export function createTokenService({ keyRing, config, clock }: Options): TokenService {
  const issuer = `${config.APP_SCHEME}://${config.APP_DOMAIN}`

  const sign = (payload: JWTPayload, typ: TokenType, { kid, privateKey }: SigningKey) =>
    new SignJWT({ iss: issuer, ...payload }).setProtectedHeader({ alg: 'EdDSA', kid, typ }).sign(privateKey)

  async function verify<T>(token: string, typ: TokenType, { claims, toValue }: TokenContents<T>): Promise<T> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, findVerificationKey(keyRing), {
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
    signAccessToken({ authenticatedAt, method, actorUserId, expiresAt, ...bearer }) {
      const issuedAt = toSeconds(clock.now())
      const exp = expiresAt ? toSeconds(expiresAt) : issuedAt + accessTokenSeconds
      const claims = { ...toClaims(bearer), jti: newId(), iat: issuedAt, exp }
      const proof = { auth_time: toSeconds(authenticatedAt), amr: [amrValues[method] ?? method] }
      const act = actorUserId ? { act: { sub: actorUserId } } : {}
      return sign({ ...claims, ...proof, ...act }, 'at+jwt', keyRing.current)
    },
    signRefreshToken({ id, issuedAt, expiresAt, kid, ...bearer }) {
      const claims = { ...toClaims(bearer), jti: id, iat: toSeconds(issuedAt), exp: toSeconds(expiresAt) }
      return sign(claims, 'rt+jwt', keyRing.find(kid) ?? keyRing.current)
    },
    verifyAccessToken: (token) => verify(token, 'at+jwt', sessionContents),
    verifyRefreshToken: (token) => verify(token, 'rt+jwt', sessionContents),
    signSsoState({ slug: t, flowId: f, provider: p }, expiresAt) {
      return sign({ t, f, p, exp: toSeconds(expiresAt) }, 'sso-state+jwt', keyRing.current)
    },
    verifySsoState: (token) => verify(token, 'sso-state+jwt', ssoStateContents),
  }
}

export const invalidToken = () => unauthenticated('invalid_token', 'The token is not valid. Sign in again.')
export const expiredToken = () =>
  unauthenticated('token_expired', 'The token has expired. Refresh it or sign in again.')
export const tenantMismatch = () =>
  unauthenticated('tenant_mismatch', 'This token belongs to another workspace. Sign in to this one.')
export const revokedToken = () => unauthenticated('token_revoked', 'The token was revoked. Sign in again.')

const amrValues: Record<string, string> = { password: 'pwd', signup: 'pwd' }

const toSeconds = (instant: Date) => Math.floor(instant.getTime() / 1_000)

const toClaims = ({ tenantId, userId, sessionId }: Bearer) => ({ sub: userId, tid: tenantId, sid: sessionId })

/** Rejects tokens with any other header, such as `jku` or `jwk`, which could name a foreign key. */
const findVerificationKey =
  (keyRing: KeyRing): JWTVerifyGetKey =>
  (header) => {
    if (Object.keys(header).sort().join() !== 'alg,kid,typ') throw invalidToken()
    const key = keyRing.find(String(header.kid))
    if (!key) throw invalidToken()
    return key.publicKey
  }

type TokenContents<T> = { claims: string[]; toValue(payload: JWTPayload): T }

function parseClaims({ sub, tid, sid, jti, exp }: JWTPayload): TokenClaims {
  const ids = [sub, tid, sid, jti]
  if (!ids.every((id) => typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id))) throw invalidToken()
  const [userId, tenantId, sessionId, id] = ids as [string, string, string, string]
  return { tenantId, userId, sessionId, id, expiresAt: new Date(exp! * 1_000) }
}

const sessionContents: TokenContents<TokenClaims> = {
  claims: ['sub', 'tid', 'sid', 'jti', 'iat'],
  toValue: parseClaims,
}

const ssoStateContents: TokenContents<SsoState> = {
  claims: ['t', 'f', 'p'],
  toValue: ({ t, f, p }) => ({ slug: String(t), flowId: String(f), provider: String(p) }),
}
