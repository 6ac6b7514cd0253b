import { findUserProfile, getTenant, workspaceUrl } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { assertOpen } from '../room-links/gate.rules.ts'
import { findDefaultLink } from '../room-links/room-links.queries.ts'
import { toRoomLinks } from '../room-links/room-links.service.ts'
import { findCollaboratorRole } from '../room-records/room-parts.queries.ts'
import { getRoom } from '../room-records/rooms.queries.ts'
import { assertCanSeeLinks } from '../room-records/rooms.rules.ts'
import type { VisitTokens } from '../room-visit-records/visit-tokens.ts'
import { findVisitorByEmail, insertVisitor, type VisitorRow } from '../room-visit-records/visitors.queries.ts'
import { insertVisit } from '../room-visit-records/visits.queries.ts'
import { getPublicLink } from './public-link.service.ts'
import { readVisitAccess } from './visit-access.service.ts'

type PreviewServices = Pick<Services, 'clock' | 'config' | 'secrets'> & { tokens: VisitTokens }

/** The signed URL opens the room as a visitor sees it, and marks the browser as one of the workspace. */
export async function createRoomPreview(
  tx: TenantTx,
  actor: UserActor,
  roomId: string,
  { tokens, ...services }: PreviewServices,
) {
  const now = services.clock.now()
  const room = await getRoom(tx, roomId)
  const collaboratorRole = await findCollaboratorRole(tx, roomId, actor.userId)
  assertCanSeeLinks(actor, { owner_id: room.owner_id, collaboratorRole })
  const link = await findDefaultLink(tx, roomId)
  const [shown] = link ? await toRoomLinks(tx, [link], services) : []
  if (!['draft', 'active'].includes(room.status) || !link || !shown?.share_token)
    throw conflict('conflict', 'A preview requires a draft or active room with a default link.')
  assertOpen({ link, room, isPreview: true }, now)

  const visitor = await findOrCreateSeller(tx, room.id, actor.userId, now)
  const visit = await insertVisit(tx, {
    id: newId(),
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
  const token = tokens.issueVisit({ tenantId: tenantIdOf(tx), linkId: link.id, visitId: visit.id })
  const { slug } = await getTenant(tx)
  return { url: workspaceUrl(services.config, slug, `/r/${shown.share_token}?preview=${token}`) }
}

type PreviewRequest = { shareToken: string; visitToken: string }

/** Returns undefined if the token is not the one of a preview. */
export async function findPreview(
  tx: TenantTx,
  { clock, tokens }: Pick<PreviewServices, 'clock' | 'tokens'>,
  { shareToken, visitToken }: PreviewRequest,
): Promise<{ visitorToken: string } | undefined> {
  const now = clock.now()
  const { link, room } = await getPublicLink(tx, tokens, { shareToken, visitToken, now })
  const access = await readVisitAccess(tx, tokens, { visitToken, link, now })
  if (access.state === 'none' || !access.visit.is_preview) return undefined
  const visitor = { tenantId: tenantIdOf(tx), roomId: room.id, visitorId: access.visitor.id, isVerified: false }
  return { visitorToken: tokens.issueVisitor(visitor) }
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
