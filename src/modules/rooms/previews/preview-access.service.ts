import { resolveTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { AppError, gone } from '#platform/errors'
import { isVisitOpen, showsRoom } from '../links/gate.rules.ts'
import type { PublicLink } from '../links/links.queries.ts'
import { findCollaboratorRole } from '../records/room-parts.queries.ts'
import { canSeeLinks } from '../records/rooms.rules.ts'
import type { VisitRow } from '../visit-records/visits.queries.ts'
import { findPreview, type PreviewRow } from './previews.queries.ts'

export const previewEnded = () => gone('preview_ended', 'The preview has ended. Open it again from the room.')

/** Checked by every request with the visit of a preview. Previews of the previous version have no row and have ended. */
export async function isPreviewOpen(
  tx: TenantTx,
  { visit, ...shown }: PublicLink & { visit: VisitRow },
  now: Date,
): Promise<boolean> {
  const preview = isVisitOpen(visit, now) ? await findPreview(tx, visit.id) : undefined
  return preview !== undefined && (await mayPreview(tx, preview, shown, now))
}

/** A preview is for its creator, who could create it again, and for the link as it was then. */
export async function mayPreview(
  tx: TenantTx,
  preview: PreviewRow,
  { link, room }: PublicLink,
  now: Date,
): Promise<boolean> {
  if (preview.link_version !== link.version || !showsRoom({ link, room, isPreview: true }, now)) return false
  const creator = await findCreator(tx, preview, now)
  if (!creator) return false
  const collaboratorRole = await findCollaboratorRole(tx, room.id, creator.userId)
  return canSeeLinks(creator, { owner_id: room.owner_id, collaboratorRole })
}

/** Returns undefined if the user, the session or the API key has lost its access. */
async function findCreator(tx: TenantTx, { requested_by }: PreviewRow, now: Date): Promise<UserActor | undefined> {
  try {
    return await resolveTaskRequester(tx, requested_by, { scopes: ['rooms.write'], now, isSessionRequired: true })
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  }
}
