import type { FastifyRequest } from 'fastify'
import {
  reserveAttempt,
  retryWhilePending,
  settleAttempt,
  type Throttle,
  throttle,
  verifyPassword,
} from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { forbidden } from '#platform/errors'
import { networkOf } from '#platform/limits'
import type { Services } from '#platform/module'
import { notifyGuesses } from '../alerts/alerts.service.ts'
import { accessDenied, matchesRule, requirementsOf, requiresCode } from '../links/gate.rules.ts'
import type { LinkRow, PublicLink } from '../links/links.queries.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { codeSeconds, isCodeCorrect, requestCode } from './codes.service.ts'
import { openVisit } from './open-visit.service.ts'
import { readPublicRoom } from './public-room.service.ts'
import { readVisitAccess, type VisitAccess } from './visit-access.service.ts'
import type { NewVisit } from './visits.schemas.ts'

export type VisitServices = Pick<Services, 'clock' | 'files'> & { tokens: VisitTokens }
type Entry = {
  inTenant: FastifyRequest['inTenant']
  tenantId: string
  ip: string
  shareToken: string
  /** The token of an earlier visit, which a visitor who enters nothing continues. */
  visitToken?: string | undefined
  visit: NewVisit
}

/** Checks the password and the code outside of the transaction that reads the link, because guesses must count even if they fail. */
export async function createRoomVisit(services: VisitServices, entry: Entry) {
  const { inTenant, visit } = entry
  const { clock } = services
  const { found, continued } = await inTenant((tx) => findEntry(tx, services, entry))
  const { link } = found
  if (continued) return await inTenant((tx) => startVisit(tx, services, entry, { link, email: null, continued }))
  const denied = accessDenied(requirementsOf(link))
  if (link.password_hash !== null && !(await isPasswordCorrect(services, entry, found))) throw denied

  const email = visit.email ?? (requiresCode(link) ? null : link.recipient_email)
  if (email === null && link.access !== 'anyone') throw denied
  if (email !== null && !requiresCode(link) && matchesRule(email, link.blocked)) throw denied
  if (email !== null && requiresCode(link)) {
    if (visit.code === undefined) {
      await inTenant((tx) => requestCode(tx, { link, email, now: clock.now() }))
      return { state: 'code_sent' as const, expires_in_seconds: codeSeconds }
    }
    if (!(await isCodeAccepted(services, entry, found, email))) throw denied
  }
  return await inTenant((tx) => startVisit(tx, services, entry, { link, email }))
}

type Continued = Extract<VisitAccess, { state: 'open' | 'closed' | 'denied' }>

/**
 * A visitor who passed the gate before enters nothing again until the token of the visit expires or the link changes. A preview
 * has passed no gate.
 */
async function findEntry(tx: TenantTx, { clock, tokens }: VisitServices, { shareToken, visitToken, visit }: Entry) {
  const now = clock.now()
  const hasInput = visit.email !== undefined || visit.password !== undefined || visit.code !== undefined
  const earlier = { shareToken, visitToken: hasInput ? undefined : visitToken, now }
  const { access, ...found } = await readVisitAccess(tx, tokens, earlier)
  if (access.state === 'denied') throw accessDenied(requirementsOf(found.link))
  if (access.state !== 'none' && access.visit.is_preview)
    throw forbidden('visit_required', 'A preview cannot start a visit. Open the link without the preview.')
  return { found, continued: access.state === 'none' ? undefined : access }
}

type PassedGate = { link: LinkRow; email: string | null; continued?: Continued }

/** Reads the link again: it may have been revoked while the password was checked. */
async function startVisit(
  tx: TenantTx,
  services: VisitServices,
  { shareToken, visit, tenantId }: Entry,
  { link: passed, email, continued }: PassedGate,
) {
  const { clock, tokens } = services
  const found = await readVisitAccess(tx, tokens, { shareToken, visitToken: undefined, now: clock.now() })
  const { name = null, visitor_token, referrer } = visit
  const person = {
    email,
    name,
    isVerified: email !== null && requiresCode(passed),
    visitorToken: visitor_token,
    referrer,
    gateVersion: continued?.visit.gate_version ?? passed.gate_version,
    continued,
  }
  const opened = await openVisit(tx, tokens, found, person, clock.now())
  const { visitor, identity } = opened
  const { id: visitId } = opened.visit
  const visitorId = visitor.id
  return {
    visit_id: visitId,
    visit_token: tokens.issueVisit({ tenantId, linkId: found.link.id, visitId, expiresAt: continued?.expiresAt }),
    visitor_token: tokens.issueVisitor({
      tenantId,
      roomId: found.room.id,
      visitorId,
      isVerified: identity === 'verified',
      holderId: opened.visit.holder_id ?? undefined,
    }),
    identity,
    room: await readPublicRoom(tx, services, { ...found, visit: opened.visit }),
  }
}

async function isPasswordCorrect(services: VisitServices, entry: Entry, found: PublicLink): Promise<boolean> {
  const { password } = entry.visit
  if (password === undefined) return false
  return await countGuess(services, entry, found, () =>
    verifyPassword(entry.tenantId, password, found.link.password_hash),
  )
}

const isCodeAccepted = (services: VisitServices, entry: Entry, found: PublicLink, email: string) =>
  countGuess(services, entry, found, () =>
    entry.inTenant((tx) =>
      isCodeCorrect(tx, services.tokens, {
        link: found.link,
        email,
        code: entry.visit.code!,
        now: services.clock.now(),
      }),
    ),
  )

const minute = 60

const networkThrottle = (tenantId: string, ip: string, linkId: string): Throttle =>
  throttle([tenantId, 'room_guess', linkId, networkOf(ip)], 5, 15 * minute, { isClearedBySuccess: true })
const linkThrottle = (tenantId: string, linkId: string): Throttle =>
  throttle([tenantId, 'room_guesses', linkId], 50, 60 * minute)
const visitorThrottle = (tenantId: string, linkId: string, visitorId: string): Throttle =>
  throttle([tenantId, 'room_visitor_guesses', linkId, visitorId], 10, 60 * minute)

const describeLimit = (wait: string) => `Too many failed attempts. Try again in ${wait}.`

/**
 * Limits wrong guesses per network and link, and per link over all networks; then the owner is notified. A visitor who has
 * entered the room before has a limit of their own, so that strangers cannot lock the visitor out.
 */
async function countGuess(
  { clock, tokens }: VisitServices,
  { inTenant, tenantId, ip, visit: { visitor_token } }: Entry,
  { link, room }: PublicLink,
  check: () => Promise<boolean>,
): Promise<boolean> {
  const visitorId = visitor_token && tokens.readVisitor(visitor_token, { tenantId, roomId: room.id })?.visitorId
  const ofNetwork = networkThrottle(tenantId, ip, link.id)
  const ofAll = visitorId ? visitorThrottle(tenantId, link.id, visitorId) : linkThrottle(tenantId, link.id)
  await retryWhilePending(() => inTenant((tx) => reserveAttempt(tx, [ofNetwork, ofAll], clock.now(), describeLimit)))
  const settle = async (outcome: 'succeeded' | 'failed' | 'abandoned') => {
    await inTenant((tx) => settleAttempt(tx, [ofNetwork], outcome))
    return await inTenant((tx) => settleAttempt(tx, [ofAll], outcome))
  }
  const isCorrect = await check().catch(async (error: unknown) => {
    await settle('abandoned').catch(() => {})
    throw error
  })
  const { isLimitReached } = await settle(isCorrect ? 'succeeded' : 'failed')
  if (isLimitReached && !visitorId) await inTenant((tx) => notifyGuesses(tx, room, link.id))
  return isCorrect
}
