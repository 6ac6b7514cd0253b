import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict, withErrorPathPrefix } from '#platform/errors'
import type { Services } from '#platform/module'
import type { RoomRow } from '../records/rooms.queries.ts'
import { findDefaultLink } from './links.queries.ts'
import type { DefaultLinkChanges } from './links.rules.ts'
import { changeLink, createLinkRow, revokeLink } from './links.service.ts'

/** Returns whether the default link changed. A new link keeps the access rules of the one it replaces. */
export function updateDefaultLink(
  tx: TenantTx,
  actor: UserActor,
  room: RoomRow,
  { revoke, rotate, ...changes }: DefaultLinkChanges,
  services: Pick<Services, 'secrets' | 'clock'>,
): Promise<boolean> {
  return withErrorPathPrefix('/share', async () => {
    const now = services.clock.now()
    const link = await findDefaultLink(tx, room.id)
    if (rotate) {
      if (link) await revokeLink(tx, actor, room, link, now)
      const { access, allowed, blocked, password_hash } = link ?? {}
      const kept = { access: access as DefaultLinkChanges['access'], allowed, blocked, password_hash }
      await createLinkRow(tx, room.id, { ...kept, ...changes, is_default: true }, services)
      return true
    }
    if (!link) {
      if (revoke) return false
      throw conflict('conflict', 'The room has no default link. Set `share.rotate` to create a new one.')
    }
    const updated = await changeLink(tx, room, link, changes, now)
    if (revoke) await revokeLink(tx, actor, room, updated, now)
    return revoke === true || updated.version !== link.version
  })
}
