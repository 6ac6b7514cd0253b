import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

type Links = Database['enablement.room_links']

export const linkColumns = [
  ...(['id', 'room_id', 'label', 'is_default', 'token_kid', 'token_cipher', 'access', 'password_hash'] as const),
  ...(['allowed', 'blocked', 'expires_at', 'revoked_at', 'recipient_contact_id', 'recipient_email'] as const),
  ...(['visit_count', 'last_used_at', 'created_at', 'updated_at', 'version'] as const),
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
