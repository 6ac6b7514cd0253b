import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { type RoomRow, roomColumns } from '../records/rooms.queries.ts'
import { type LinkRow, linkColumns } from './links.queries.ts'

export type PublicLink = { link: LinkRow; room: RoomRow }

export async function getLinkByTokenHash(tx: TenantTx, tokenHash: Buffer): Promise<LinkRow> {
  return await tx
    .selectFrom('enablement.room_links')
    .select(linkColumns)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirstOrThrow(() => notFound('link'))
}

export async function getRoomIncludingDeleted(tx: TenantTx, id: string): Promise<RoomRow> {
  return await tx.selectFrom('enablement.rooms').select(roomColumns).where('id', '=', id).executeTakeFirstOrThrow()
}

export async function findLink(tx: TenantTx, id: string): Promise<LinkRow | undefined> {
  return await tx.selectFrom('enablement.room_links').select(linkColumns).where('id', '=', id).executeTakeFirst()
}
