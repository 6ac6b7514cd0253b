import { type TenantTx, tenantIdOf } from '#platform/db'
import { forbidden, notFound } from '#platform/errors'
import { hashToken } from '#platform/secrets'
import { assertOpen } from '../room-links/gate.rules.ts'
import { findLinkByTokenHash, getRoomIncludingDeleted, type PublicLink } from './public-links.queries.ts'
import type { VisitTokens } from './visit-tokens.ts'
import { findVisit, type VisitRow } from './visits.queries.ts'

export async function getPublicLink(tx: TenantTx, shareToken: string, now: Date): Promise<PublicLink> {
  const link = await findLinkByTokenHash(tx, hashToken(shareToken))
  if (!link) throw notFound('link')
  const found = { link, room: await getRoomIncludingDeleted(tx, link.room_id) }
  assertOpen(found, now)
  return found
}

type VisitRequest = { visitToken: string | undefined; link: { id: string } }

export async function findOwnVisit(
  tx: TenantTx,
  tokens: VisitTokens,
  { visitToken, link }: VisitRequest,
): Promise<VisitRow | undefined> {
  const visitId = visitToken && tokens.readVisitId(visitToken, { tenantId: tenantIdOf(tx), linkId: link.id })
  return visitId ? await findVisit(tx, visitId) : undefined
}

export async function getOwnVisit(tx: TenantTx, tokens: VisitTokens, request: VisitRequest): Promise<VisitRow> {
  const visit = await findOwnVisit(tx, tokens, request)
  if (!visit)
    throw forbidden('visit_required', 'A visit is required. Start one with POST to the path of the room and /visit.')
  return visit
}
