import { Type } from 'typebox'
import { type Clock, secondsLater } from '#platform/clock'
import type { Config } from '#platform/config'
import { Id, strict } from '#platform/schema'
import { createSignedTokens } from '#platform/secrets'

const visitSeconds = 12 * 3_600
const visitorSeconds = 180 * 86_400

const VisitClaims = strict({ tenant: Id, link: Id, visit: Id, exp: Type.Integer() })
const VisitorClaims = strict({ tenant: Id, room: Id, visitor: Id, exp: Type.Integer() })

type Visit = { tenantId: string; linkId: string; visitId: string }
type Visitor = { tenantId: string; roomId: string; visitorId: string }

export type VisitTokens = {
  issueVisit(visit: Visit): string
  /** Returns the visit of a valid token that was issued for this link. */
  readVisitId(token: string, of: Omit<Visit, 'visitId'>): string | undefined
  issueVisitor(visitor: Visitor): string
  readVisitorId(token: string, of: Omit<Visitor, 'visitorId'>): string | undefined
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
  const codes = createSignedTokens(SIGNING_KEYS, 'room codes', strict({}))
  const expiresIn = (seconds: number) => secondsLater(clock.now(), seconds).getTime()
  const isCurrent = ({ exp }: { exp: number }) => exp > clock.now().getTime()
  return {
    issueVisit: ({ tenantId, linkId, visitId }) =>
      visits.sign({ tenant: tenantId, link: linkId, visit: visitId, exp: expiresIn(visitSeconds) }),
    readVisitId(token, { tenantId, linkId }) {
      const claims = visits.verify(token)
      return claims && isCurrent(claims) && claims.tenant === tenantId && claims.link === linkId
        ? claims.visit
        : undefined
    },
    issueVisitor: ({ tenantId, roomId, visitorId }) =>
      visitors.sign({ tenant: tenantId, room: roomId, visitor: visitorId, exp: expiresIn(visitorSeconds) }),
    readVisitorId(token, { tenantId, roomId }) {
      const claims = visitors.verify(token)
      return claims && isCurrent(claims) && claims.tenant === tenantId && claims.room === roomId
        ? claims.visitor
        : undefined
    },
    hashCode: ({ tenantId, linkId, emailKey, code }) => codes.hash(JSON.stringify([tenantId, linkId, emailKey, code])),
  }
}
