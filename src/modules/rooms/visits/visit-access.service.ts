import { type TenantTx, tenantIdOf } from '#platform/db'
import { conflict, forbidden } from '#platform/errors'
import { hashToken } from '#platform/secrets'
import { accessDenied, assertOpen, isVisitOpen, mayStay, requirementsOf } from '../links/gate.rules.ts'
import { getLinkByTokenHash, getRoomIncludingDeleted, type LinkRow, type PublicLink } from '../links/links.queries.ts'
import { isPreviewOpen, previewEnded } from '../previews/preview-access.service.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { findVisitor, type VisitorRow } from '../visit-records/visitors.queries.ts'
import { findVisit, type VisitRow } from '../visit-records/visits.queries.ts'
import { visitIdentityOf } from '../visit-records/visits.rules.ts'

type FoundVisit = { visit: VisitRow; visitor: VisitorRow; expiresAt: Date }
/** `denied`: the rules of the link changed and no longer let the visitor in; `closed`: the visit ended. */
export type VisitAccess = { state: 'none' } | ({ state: 'open' | 'closed' | 'denied' } & FoundVisit)

type VisitRequest = { shareToken: string; visitToken: string | undefined; now: Date }
type PublicAccess = PublicLink & { access: VisitAccess }

/**
 * Read by every request, because tokens only say which link and visit they belong to. A draft opens only with the token of an
 * open preview, and nothing opens with the token of one that ended.
 */
export async function readVisitAccess(
  tx: TenantTx,
  tokens: VisitTokens,
  { shareToken, visitToken, now }: VisitRequest,
): Promise<PublicAccess> {
  const link = await getLinkByTokenHash(tx, hashToken(shareToken))
  const room = await getRoomIncludingDeleted(tx, link.room_id)
  const found = await findVisitOfToken(tx, tokens, link, visitToken)
  const isPreview = found?.visit.is_preview === true
  if (isPreview && !(await isPreviewOpen(tx, { link, room, visit: found.visit }, now))) throw previewEnded()
  assertOpen({ link, room, isPreview }, now)
  return { link, room, access: found ? { state: stateOf(link, found, now), ...found } : { state: 'none' } }
}

async function findVisitOfToken(
  tx: TenantTx,
  tokens: VisitTokens,
  { id: linkId }: LinkRow,
  visitToken: string | undefined,
): Promise<FoundVisit | undefined> {
  const read = visitToken ? tokens.readVisit(visitToken, { tenantId: tenantIdOf(tx), linkId }) : undefined
  const visit = read && (await findVisit(tx, read.visitId))
  const visitor = visit && (await findVisitor(tx, visit.room_id, visit.visitor_id))
  return visitor && { visit, visitor, expiresAt: read.expiresAt }
}

function stateOf(link: LinkRow, { visit, visitor }: FoundVisit, now: Date): 'open' | 'closed' | 'denied' {
  if (!visit.is_preview && !isVisitorAllowed(link, visit, visitor)) return 'denied'
  return isVisitOpen(visit, now) ? 'open' : 'closed'
}

export const isVisitorAllowed = (link: LinkRow, visit: VisitRow, visitor: VisitorRow): boolean =>
  mayStay(link, {
    gate_version: visit.gate_version,
    identity: visitIdentityOf(visit, visitor),
    email: visitor.email,
  })

type AllowedVisit = PublicLink & FoundVisit

/** Returns also a visit that ended, because the visitor is still known. */
export async function getAllowedVisit(tx: TenantTx, tokens: VisitTokens, request: VisitRequest): Promise<AllowedVisit> {
  const { link, room, access } = await readVisitAccess(tx, tokens, request)
  if (access.state === 'none')
    throw forbidden('visit_required', 'A visit is required. Start one with POST to the path of the room and /visit.')
  if (access.state === 'denied') throw accessDenied(requirementsOf(link))
  return { link, room, ...access }
}

export async function getOpenVisit(tx: TenantTx, tokens: VisitTokens, request: VisitRequest): Promise<AllowedVisit> {
  const found = await getAllowedVisit(tx, tokens, request)
  assertVisitOpen(found.visit, request.now)
  return found
}

export function assertVisitOpen(visit: VisitRow, now: Date): void {
  if (!isVisitOpen(visit, now)) throw conflict('visit_closed', 'The visit ended. Start a new one.')
}
