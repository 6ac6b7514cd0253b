import { type TenantTx, tenantIdOf } from '#platform/db'
import { conflict, forbidden } from '#platform/errors'
import { isViewOpen } from '../content-views/views.rules.ts'
import { accessDenied, mayStay, requirementsOf } from '../room-links/gate.rules.ts'
import type { LinkRow } from '../room-links/room-links.queries.ts'
import type { VisitTokens } from '../room-visit-records/visit-tokens.ts'
import { findVisitor, type VisitorRow } from '../room-visit-records/visitors.queries.ts'
import { findVisit, type VisitRow } from '../room-visit-records/visits.queries.ts'
import { visitIdentityOf } from '../room-visit-records/visits.rules.ts'

type FoundVisit = { visit: VisitRow; visitor: VisitorRow; expiresAt: Date }
/** `denied`: the rules of the link changed and no longer let the visitor in; `closed`: the visit ended. */
export type VisitAccess = { state: 'none' } | ({ state: 'open' | 'closed' | 'denied' } & FoundVisit)

type VisitRequest = { visitToken: string | undefined; link: LinkRow; now: Date }

/** Read by every request, because a token only says which visit it belongs to. */
export async function readVisitAccess(
  tx: TenantTx,
  tokens: VisitTokens,
  { visitToken, link, now }: VisitRequest,
): Promise<VisitAccess> {
  const read = visitToken ? tokens.readVisit(visitToken, { tenantId: tenantIdOf(tx), linkId: link.id }) : undefined
  const visit = read && (await findVisit(tx, read.visitId))
  const visitor = visit && (await findVisitor(tx, visit.room_id, visit.visitor_id))
  if (!read || !visit || !visitor) return { state: 'none' }
  const found = { visit, visitor, expiresAt: read.expiresAt }
  if (!isVisitorAllowed(link, visit, visitor)) return { state: 'denied', ...found }
  return { state: isVisitOpen(visit, now) ? 'open' : 'closed', ...found }
}

/** The seller of a preview enters nothing. */
export const isVisitorAllowed = (link: LinkRow, visit: VisitRow, visitor: VisitorRow): boolean =>
  visit.is_preview ||
  mayStay(link, {
    gate_version: visit.gate_version,
    identity: visitIdentityOf(visit, visitor),
    email: visitor.email,
  })

const isVisitOpen = (visit: VisitRow, now: Date): boolean => visit.ended_at === null && isViewOpen(visit, now)

/** Returns also a visit that ended, because the visitor is still known. */
export async function getAllowedVisit(tx: TenantTx, tokens: VisitTokens, request: VisitRequest): Promise<FoundVisit> {
  const access = await readVisitAccess(tx, tokens, request)
  if (access.state === 'none')
    throw forbidden('visit_required', 'A visit is required. Start one with POST to the path of the room and /visit.')
  if (access.state === 'denied') throw accessDenied(requirementsOf(request.link))
  return access
}

export async function getOpenVisit(tx: TenantTx, tokens: VisitTokens, request: VisitRequest): Promise<FoundVisit> {
  const found = await getAllowedVisit(tx, tokens, request)
  assertVisitOpen(found.visit, request.now)
  return found
}

export function assertVisitOpen(visit: VisitRow, now: Date): void {
  if (!isVisitOpen(visit, now)) throw conflict('visit_closed', 'The visit ended. Start a new one.')
}
