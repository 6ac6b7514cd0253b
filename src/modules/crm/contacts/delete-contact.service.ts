import { reaches, type SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { roleRequired, versionMismatch } from '#platform/errors'
import { emit } from '#platform/outbox'
import { holdAccount } from '../accounts/accounts.queries.ts'
import { contactDeleted, contactRestored } from '../crm.events.ts'
import { assertRestorable } from '../deleted/restorable.rules.ts'
import { assertAddressIsFree } from './add-contact.service.ts'
import { derivedFrom, labelOf } from './contact-values.ts'
import {
  type ContactRow,
  changeContactFields,
  findAnyContact,
  lockAnyContact,
  lockContact,
} from './contacts.queries.ts'

type Deletion = { expectedVersion?: number; now: Date }

/** Deals it belongs to stay, and have nobody in its place until it is restored. */
export async function deleteContact(tx: TenantTx, actor: SignedIn, id: string, { expectedVersion, now }: Deletion) {
  const contact = await lockContact(tx, id)
  if (expectedVersion !== undefined && expectedVersion !== contact.version) throw versionMismatch()
  if (!reaches(actor, 'contacts.delete', contact))
    throw roleRequired('Only managers, and whoever owns the contact, may delete it.')
  const deleted = await changeContactFields(tx, id, { deleted_at: now, deleted_by: actor.userId })
  await record(tx, 'contact.deleted', { id, label: labelOf(contact), before: contact })
  await emit(tx, contactDeleted, deleted, {})
}

/** Whoever deleted it may take that back, and so may managers, as long as nobody else has its address. */
export async function restoreContact(tx: TenantTx, actor: SignedIn, id: string, now: Date): Promise<ContactRow> {
  const found = assertRestorable(actor, await findAnyContact(tx, id), 'contact', now)
  if (found.email) await assertAddressIsFree(tx, found.email)
  // The account may have been renamed or deleted in the meantime.
  const account = found.account_id === null ? undefined : await holdAccount(tx, found.account_id)
  const contact = assertRestorable(actor, await lockAnyContact(tx, id), 'contact', now)

  const account_name = account?.name ?? null
  const { search_text } = derivedFrom({ ...contact, account_name })
  const fields = { deleted_at: null, deleted_by: null, account_name, search_text }
  const restored = await changeContactFields(tx, id, fields)
  await record(tx, 'contact.restored', { id, label: labelOf(contact), before: contact, after: restored })
  await emit(tx, contactRestored, restored, {})
  return restored
}
