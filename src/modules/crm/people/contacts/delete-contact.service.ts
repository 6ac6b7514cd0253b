import { canAccess, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion, roleRequired } from '#platform/errors'
import { contactDeleted, contactRestored } from '../../crm.events.ts'
import {
  type DeleteRecordOptions,
  recordDeletions,
  recordRestorations,
  type SoftDelete,
  softDelete,
  toDeletionColumns,
} from '../../records/removal/soft-delete.service.ts'
import { contactLabel } from './contact-values.ts'
import { type ContactRow, lockContact, updateContactRow, updateContactRowsAlike } from './contacts.queries.ts'

const contactDeletion: SoftDelete<ContactRow> = {
  type: 'contact',
  updateRow: updateContactRow,
  labelOf: contactLabel,
  deletedEvent: contactDeleted,
  restoredEvent: contactRestored,
}

/** Its deals keep the reference but do not show the contact until it is restored. */
export async function deleteContact(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { expectedVersion, now }: DeleteRecordOptions,
): Promise<void> {
  const contact = await lockContact(tx, id)
  assertVersion(contact, expectedVersion)
  assertMayDeleteContact(actor, contact)
  await softDelete(tx, actor, contact, contactDeletion, now)
}

export function assertMayDeleteContact(actor: UserActor, contact: ContactRow): void {
  if (!canAccess(actor, 'contacts.delete', contact))
    throw roleRequired('Only managers and the owner of the contact can delete it.')
}

export async function deleteContactsOf(
  tx: TenantTx,
  actor: UserActor,
  contacts: readonly ContactRow[],
  now: Date,
): Promise<void> {
  const ids = contacts.map(({ id }) => id)
  const rows = await updateContactRowsAlike(tx, ids, toDeletionColumns(actor, now))
  const deleted = new Map(rows.map((contact) => [contact.id, contact]))
  await recordDeletions(
    tx,
    contacts.map((before) => ({ before, after: deleted.get(before.id)! })),
    contactDeletion,
  )
}

type ChangedContact = { before: ContactRow; after: ContactRow }

export const recordContactRestorations = (tx: TenantTx, changes: readonly ChangedContact[]): Promise<void> =>
  recordRestorations(tx, changes, contactDeletion)
