import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { type RoomRow, roomColumns } from '../records/rooms.queries.ts'

type Links = Database['enablement.room_links']

export const linkColumns = [
  'id',
  'room_id',
  'label',
  'is_default',
  'token_kid',
  'token_cipher',
  'access',
  'password_hash',
  'allowed',
  'blocked',
  'expires_at',
  'revoked_at',
  'gate_version',
  'recipient_contact_id',
  'recipient_email',
  'visit_count',
  'last_used_at',
  'created_at',
  'updated_at',
  'version',
] as const
export type LinkRow = Pick<Selectable<Links>, (typeof linkColumns)[number]>

const maxShownLinks = 500

/** The default link first, then the newest ones. */
export function listLinkRows(tx: TenantTx, roomId: string): Promise<LinkRow[]> {
  return tx
    .selectFrom('enablement.room_links')
    .select(linkColumns)
    .where('room_id', '=', roomId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxShownLinks)
    .execute()
}

export function getLinkRow(tx: TenantTx, roomId: string, id: string): Promise<LinkRow> {
  return tx
    .selectFrom('enablement.room_links')
    .select(linkColumns)
    .where('room_id', '=', roomId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('link'))
}

export function findDefaultLink(tx: TenantTx, roomId: string): Promise<LinkRow | undefined> {
  return tx
    .selectFrom('enablement.room_links')
    .select(linkColumns)
    .where('room_id', '=', roomId)
    .where('is_default', '=', true)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
}

export async function countLiveLinks(tx: TenantTx, roomId: string): Promise<number> {
  const { links } = await tx
    .selectFrom('enablement.room_links')
    .select(({ fn }) => fn.countAll<number>().as('links'))
    .where('room_id', '=', roomId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return links
}

type SharedRoom = Pick<
  Selectable<Database['enablement.rooms']>,
  'id' | 'name' | 'public_title' | 'owner_id' | 'status' | 'deleted_at'
>

/** Links of deleted rooms are left out. */
export async function listLinksWithRooms(
  tx: TenantTx,
  ids: readonly string[],
): Promise<{ link: LinkRow; room: SharedRoom }[]> {
  const links = await tx
    .selectFrom('enablement.room_links')
    .select(linkColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const rooms = await tx
    .selectFrom('enablement.rooms')
    .select(['id', 'name', 'public_title', 'owner_id', 'status', 'deleted_at'])
    .where('id', '=', sql<string>`any(${links.map(({ room_id }) => room_id)}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return links.flatMap((link) => {
    const room = rooms.find(({ id }) => id === link.room_id)
    return room ? [{ link, room }] : []
  })
}

export function insertLink(tx: TenantTx, link: Insertable<Links>): Promise<LinkRow> {
  return tx.insertInto('enablement.room_links').values(link).returning(linkColumns).executeTakeFirstOrThrow()
}

export function updateLinkRow(tx: TenantTx, id: string, fields: Updateable<Links>): Promise<LinkRow> {
  return tx
    .updateTable('enablement.room_links')
    .set(fields)
    .where('id', '=', id)
    .returning(linkColumns)
    .executeTakeFirstOrThrow()
}

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
