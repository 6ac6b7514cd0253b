import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { hashToken } from '#platform/secrets'
import { assertOpen } from '../room-links/gate.rules.ts'
import { findLinkByTokenHash, getRoomIncludingDeleted, type PublicLink } from './public-links.queries.ts'

export async function getPublicLink(tx: TenantTx, shareToken: string, now: Date): Promise<PublicLink> {
  const link = await findLinkByTokenHash(tx, hashToken(shareToken))
  if (!link) throw notFound('link')
  const found = { link, room: await getRoomIncludingDeleted(tx, link.room_id) }
  assertOpen(found, now)
  return found
}
