import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

type Visitors = Database['enablement.room_visitors']

const visitorColumns = [
  'id',
  'room_id',
  'email',
  'email_verified_at',
  'name',
  'contact_id',
  'is_internal',
  'is_bot',
  'first_seen_at',
  'last_seen_at',
] as const
export type VisitorRow = Pick<Selectable<Visitors>, (typeof visitorColumns)[number]>

export const findVisitor = (tx: TenantTx, roomId: string, id: string): Promise<VisitorRow | undefined> =>
  tx
    .selectFrom('enablement.room_visitors')
    .select(visitorColumns)
    .where('id', '=', id)
    .where('room_id', '=', roomId)
    .executeTakeFirst()

type AddressOfVisitor = { email: string; isVerified: boolean }

/** Visitors who proved an email address and visitors who only entered it are different ones. */
export const findVisitorByEmail = (
  tx: TenantTx,
  roomId: string,
  { email, isVerified }: AddressOfVisitor,
): Promise<VisitorRow | undefined> =>
  tx
    .selectFrom('enablement.room_visitors')
    .select(visitorColumns)
    .where('room_id', '=', roomId)
    .where('email_key', '=', email.toLowerCase())
    .where('email_verified_at', isVerified ? 'is not' : 'is', null)
    .executeTakeFirst()

/** Returns undefined if a concurrent visit inserted a visitor with the same email address. */
export function insertVisitor(tx: TenantTx, visitor: Insertable<Visitors>): Promise<VisitorRow | undefined> {
  return tx
    .insertInto('enablement.room_visitors')
    .values(visitor)
    .onConflict((conflict) => conflict.doNothing())
    .returning(visitorColumns)
    .executeTakeFirst()
}

export function updateVisitorRow(tx: TenantTx, id: string, changes: Updateable<Visitors>): Promise<VisitorRow> {
  return tx
    .updateTable('enablement.room_visitors')
    .set(changes)
    .where('id', '=', id)
    .returning(visitorColumns)
    .executeTakeFirstOrThrow()
}

export type ErasedVisitors = { emailKeys: readonly string[]; contactIds: readonly string[] }

/** Two index scans; one condition with `or` would read all visitors of the workspace. */
export const idsOfVisitors = ({ emailKeys, contactIds }: ErasedVisitors) => sql<string>`any(array(
  select id from enablement.room_visitors where email is not null and email_key = any (${emailKeys}::text[])
  union select id from enablement.room_visitors where contact_id is not null and contact_id = any (${contactIds}::uuid[])))`

/** Numbers stay; who the visitor was does not. */
export async function blankVisitors(tx: TenantTx, erased: ErasedVisitors): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('enablement.room_visitors')
    .set({ email: null, email_verified_at: null, name: null, contact_id: null })
    .where('id', '=', idsOfVisitors(erased))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
