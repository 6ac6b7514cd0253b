import { Type } from 'typebox'
import { type Clock, secondsLater } from '#platform/clock'
import type { Config } from '#platform/config'
import { Id, strict } from '#platform/schema'
import { createSignedTokens } from '#platform/secrets'

const visitSeconds = 12 * 3_600
const visitorSeconds = 180 * 86_400
const previewSeconds = 5 * 60

const VisitClaims = strict({ tenant: Id, link: Id, visit: Id, exp: Type.Integer() })
const PreviewClaims = strict({ tenant: Id, link: Id, preview: Id, exp: Type.Integer() })
const VisitorClaims = strict({
  tenant: Id,
  room: Id,
  visitor: Id,
  verified: Type.Optional(Type.Boolean()),
  holder: Type.Optional(Id),
  exp: Type.Integer(),
})

type VisitsOf = { tenantId: string; linkId: string }
type Visit = { visitId: string; expiresAt: Date }
type VisitorsOf = { tenantId: string; roomId: string }
/** `isVerified` is true if the holder of the token, a browser, proved the email address of the visitor. */
type Visitor = { visitorId: string; isVerified: boolean; holderId?: string | undefined }

export type VisitTokens = {
  /** A visit that continues another one ends with its token. */
  issueVisit(visit: VisitsOf & { visitId: string; expiresAt?: Date | undefined }): string
  /** Returns the visit of a valid token that was issued for this link. */
  readVisit(token: string, of: VisitsOf): Visit | undefined
  issueVisitor(visitor: VisitorsOf & Visitor): string
  readVisitor(token: string, of: VisitorsOf): Visitor | undefined
  /** The token of the URL of a preview, which starts its visit. */
  issuePreview(preview: VisitsOf & { previewId: string }): string
  readPreview(token: string, of: VisitsOf): { previewId: string; isExpired: boolean } | undefined
  hashCode(parts: { tenantId: string; linkId: string; emailKey: string; code: string }): Buffer
}

const tokensByClock = new WeakMap<Clock, VisitTokens>()

/** Routes and jobs of an application share the tokens, because without SIGNING_KEYS their keys are random. */
export function visitTokensOf({ config, clock }: { config: Pick<Config, 'SIGNING_KEYS'>; clock: Clock }): VisitTokens {
  const tokens = tokensByClock.get(clock) ?? createVisitTokens(config, clock)
  tokensByClock.set(clock, tokens)
  return tokens
}

/** The tokens only say who the visitor is. Every request checks the link and the room again. */
function createVisitTokens({ SIGNING_KEYS }: Pick<Config, 'SIGNING_KEYS'>, clock: Clock): VisitTokens {
  const visits = createSignedTokens(SIGNING_KEYS, 'room visits', VisitClaims)
  const visitors = createSignedTokens(SIGNING_KEYS, 'room visitors', VisitorClaims)
  const previews = createSignedTokens(SIGNING_KEYS, 'room previews', PreviewClaims)
  const codes = createSignedTokens(SIGNING_KEYS, 'room codes', strict({}))
  const expiresIn = (seconds: number) => secondsLater(clock.now(), seconds).getTime()
  const isCurrent = ({ exp }: { exp: number }) => exp > clock.now().getTime()
  return {
    issueVisit: ({ tenantId, linkId, visitId, expiresAt }) =>
      visits.sign({
        tenant: tenantId,
        link: linkId,
        visit: visitId,
        exp: expiresAt?.getTime() ?? expiresIn(visitSeconds),
      }),
    readVisit(token, { tenantId, linkId }) {
      const claims = visits.verify(token)
      return claims && isCurrent(claims) && claims.tenant === tenantId && claims.link === linkId
        ? { visitId: claims.visit, expiresAt: new Date(claims.exp) }
        : undefined
    },
    issueVisitor: ({ tenantId, roomId, visitorId, isVerified, holderId }) =>
      visitors.sign({
        tenant: tenantId,
        room: roomId,
        visitor: visitorId,
        ...(isVerified && { verified: true }),
        ...(holderId && { holder: holderId }),
        exp: expiresIn(visitorSeconds),
      }),
    readVisitor(token, { tenantId, roomId }) {
      const claims = visitors.verify(token)
      return claims && isCurrent(claims) && claims.tenant === tenantId && claims.room === roomId
        ? { visitorId: claims.visitor, isVerified: claims.verified === true, holderId: claims.holder }
        : undefined
    },
    issuePreview: ({ tenantId, linkId, previewId }) =>
      previews.sign({ tenant: tenantId, link: linkId, preview: previewId, exp: expiresIn(previewSeconds) }),
    readPreview(token, { tenantId, linkId }) {
      const claims = previews.verify(token)
      return claims?.tenant === tenantId && claims.link === linkId
        ? { previewId: claims.preview, isExpired: !isCurrent(claims) }
        : undefined
    },
    hashCode: ({ tenantId, linkId, emailKey, code }) => codes.hash(JSON.stringify([tenantId, linkId, emailKey, code])),
  }
}
