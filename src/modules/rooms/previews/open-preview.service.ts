import { findUserProfile } from '#modules/identity'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { newId } from '#platform/ids'
import { hashToken } from '#platform/secrets'
import { assertOpen } from '../links/gate.rules.ts'
import { getLinkByTokenHash, getRoomIncludingDeleted, type PublicLink } from '../links/links.queries.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { findVisitorByEmail, insertVisitor, type VisitorRow } from '../visit-records/visitors.queries.ts'
import { insertVisit } from '../visit-records/visits.queries.ts'
import { mayPreview, previewEnded } from './preview-access.service.ts'
import { findPreview, markPreviewOpened, type PreviewRow } from './previews.queries.ts'

type PreviewRequest = {
  shareToken: string
  previewToken: string
  visitToken: string | undefined
  now: Date
}
type FoundPreview = PublicLink & { preview: PreviewRow }

export async function findUnopenedPreview(
  tx: TenantTx,
  tokens: VisitTokens,
  { shareToken, previewToken, visitToken, now }: PreviewRequest,
): Promise<FoundPreview | undefined> {
  const link = await getLinkByTokenHash(tx, hashToken(shareToken))
  const room = await getRoomIncludingDeleted(tx, link.room_id)
  const of = { tenantId: tenantIdOf(tx), linkId: link.id }
  const read = tokens.readPreview(previewToken, of)
  // A forged token must not tell that the room of the link is a draft.
  if (!read) assertOpen({ link, room }, now)
  if (read && visitToken && tokens.readVisit(visitToken, of)?.visitId === read.previewId) return undefined
  const preview = read && !read.isExpired ? await findPreview(tx, read.previewId) : undefined
  if (preview?.opened_at !== null || !(await mayPreview(tx, preview, { link, room }, now))) throw previewEnded()
  return { link, room, preview }
}

/** Starts the visit of the preview. The token of its visitor tells later visits that the browser belongs to the workspace. */
export async function openRoomPreview(tx: TenantTx, tokens: VisitTokens, request: PreviewRequest) {
  const { now } = request
  const found = await findUnopenedPreview(tx, tokens, request)
  if (!found) return undefined
  const { link, room, preview } = found
  if (!(await markPreviewOpened(tx, preview.id, now))) throw previewEnded()
  const visitor = await findOrCreateSeller(tx, room.id, preview.requested_by.userId, now)
  await insertVisit(tx, {
    id: preview.id,
    room_id: room.id,
    link_id: link.id,
    visitor_id: visitor.id,
    started_at: now,
    last_event_at: now,
    identity: 'claimed',
    gate_version: link.gate_version,
    is_internal: true,
    is_preview: true,
    device: 'other',
  })
  const tenantId = tenantIdOf(tx)
  return {
    visitToken: tokens.issueVisit({ tenantId, linkId: link.id, visitId: preview.id }),
    visitorToken: tokens.issueVisitor({ tenantId, roomId: room.id, visitorId: visitor.id, isVerified: false }),
  }
}

async function findOrCreateSeller(tx: TenantTx, roomId: string, userId: string, now: Date): Promise<VisitorRow> {
  const user = (await findUserProfile(tx, userId))!
  const address = { email: user.email, isVerified: false }
  const visitor =
    (await findVisitorByEmail(tx, roomId, address)) ??
    (await insertVisitor(tx, {
      id: newId(),
      room_id: roomId,
      email: user.email,
      name: user.name,
      is_internal: true,
      first_seen_at: now,
      last_seen_at: now,
    }))
  return visitor ?? (await findVisitorByEmail(tx, roomId, address))!
}
