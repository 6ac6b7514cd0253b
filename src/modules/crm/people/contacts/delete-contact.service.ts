import { canAccess, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion, roleRequired } from '#platform/errors'
import { contactDeleted, contactRestored } from '../../crm.events.ts'
import { assertRecordRestorable } from '../../records/fields/record.rules.ts'
import { lockAccountShared } from '../../records/references/record-names.queries.ts'
import {
  type DeleteRecordOptions,
  recordDeletions,
  restoreDeleted,
  type SoftDelete,
  softDelete,
  toDeletionColumns,
} from '../../records/removal/soft-delete.service.ts'
import type { RecordConsent } from '../consent/consent.rules.ts'
import { findRecordConsent } from '../consent/find-consent.service.ts'
import { contactLabel, deriveContactColumns } from './contact-values.ts'
import {
  type ContactRow,
  findContactIdByEmail,
  findContactIncludingDeleted,
  lockContact,
  lockContactEmail,
  lockContactIncludingDeleted,
  updateContactRow,
  updateContactRowsAlike,
} from './contacts.queries.ts'
import { type ContactServices, contactEmailTaken } from './create-contacts.service.ts'

type RestoredColumns = RecordConsent & { account_name: string | null; search_text: string }
const contactDeletion: SoftDelete<ContactRow, RestoredColumns> = {
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
  if (!canAccess(actor, 'contacts.delete', contact))
    throw roleRequired('Only managers and the owner of the contact can delete it.')
  await softDelete(tx, actor, contact, contactDeletion, now)
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

export async function restoreContact(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  services: ContactServices,
): Promise<ContactRow> {
  const now = services.clock.now()
  const deleted = assertRecordRestorable(actor, await findContactIncludingDeleted(tx, id), 'contact', now)
  if (deleted.email) await assertContactEmailUnused(tx, deleted.email.toLowerCase())
  // The account may have been renamed or deleted since.
  const account = deleted.account_id === null ? undefined : await lockAccountShared(tx, deleted.account_id)
  const contact = assertRecordRestorable(actor, await lockContactIncludingDeleted(tx, id), 'contact', now)

  const account_name = account?.name ?? null
  const { search_text } = deriveContactColumns({ ...contact, account_name })
  const { email, phone_e164, deleted_at } = contact
  const source = { email, phone_e164, record: contact, since: deleted_at! }
  const consent = await findRecordConsent(tx, services, source)
  return await restoreDeleted(tx, contact, contactDeletion, { account_name, search_text, ...consent })
}

async function assertContactEmailUnused(tx: TenantTx, emailKey: string): Promise<void> {
  await lockContactEmail(tx, emailKey)
  const existing = await findContactIdByEmail(tx, emailKey)
  if (existing) throw contactEmailTaken(existing)
}
