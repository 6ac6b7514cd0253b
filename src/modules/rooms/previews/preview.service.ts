import { getTenant, toTaskRequester, workspaceUrl } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { assertOpen } from '../links/gate.rules.ts'
import { findDefaultLink } from '../links/links.queries.ts'
import { toRoomLinks } from '../links/links.service.ts'
import { findCollaboratorRole } from '../records/room-parts.queries.ts'
import { getRoom } from '../records/rooms.queries.ts'
import { assertCanSeeLinks } from '../records/rooms.rules.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { insertPreview } from './previews.queries.ts'

type PreviewServices = Pick<Services, 'clock' | 'config' | 'secrets'> & { tokens: VisitTokens }

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

  const id = newId()
  const requested_by = toTaskRequester(actor)
  await insertPreview(tx, { id, link_id: link.id, link_version: link.version, requested_by })
  const token = tokens.issuePreview({ tenantId: tenantIdOf(tx), linkId: link.id, previewId: id })
  const { slug } = await getTenant(tx)
  return { url: workspaceUrl(services.config, slug, `/r/${shown.share_token}?preview=${token}`) }
}
