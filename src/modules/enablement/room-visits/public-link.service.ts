import { type TenantTx, tenantIdOf } from '#platform/db'
import { notFound } from '#platform/errors'
import { hashToken } from '#platform/secrets'
import { assertOpen } from '../room-links/gate.rules.ts'
import type { VisitTokens } from '../room-visit-records/visit-tokens.ts'
import { findVisit } from '../room-visit-records/visits.queries.ts'
import { findLinkByTokenHash, getRoomIncludingDeleted, type PublicLink } from './public-links.queries.ts'

type LinkRequest = { shareToken: string; visitToken: string | undefined; now: Date }

/** A draft opens only with the token of a preview. */
export async function getPublicLink(
  tx: TenantTx,
  tokens: VisitTokens,
  { shareToken, visitToken, now }: LinkRequest,
): Promise<PublicLink> {
  const link = await findLinkByTokenHash(tx, hashToken(shareToken))
  if (!link) throw notFound('link')
  const room = await getRoomIncludingDeleted(tx, link.room_id)
  const isPreview = room.status === 'draft' && (await isTokenOfPreview(tx, tokens, link.id, visitToken))
  assertOpen({ link, room, isPreview }, now)
  return { link, room }
}

async function isTokenOfPreview(
  tx: TenantTx,
  tokens: VisitTokens,
  linkId: string,
  visitToken: string | undefined,
): Promise<boolean> {
  const read = visitToken ? tokens.readVisit(visitToken, { tenantId: tenantIdOf(tx), linkId }) : undefined
  const visit = read && (await findVisit(tx, read.visitId))
  return visit?.is_preview === true
}
