import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { AppError, attempt, notFound } from '#platform/errors'
import { assertRecordRestorable } from '../../records/fields/record.rules.ts'
import { findAccountNames, lockAccountNamesShared } from '../../records/references/record-names.queries.ts'
import { findRecordConsents } from '../consent/find-consent.service.ts'
import { deriveContactColumns } from './contact-values.ts'
import {
  type ContactRow,
  findContactIdsByEmails,
  lockContactEmails,
  lockContactsIncludingDeleted,
} from './contacts.queries.ts'
import { type ContactServices, contactEmailTaken } from './create-contacts.service.ts'
import { recordContactRestorations } from './delete-contact.service.ts'
import { listContactReferences, restoreContactRows } from './restore-contacts.queries.ts'

export async function restoreContact(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  services: ContactServices,
): Promise<ContactRow> {
  await lockBeforeRestore(tx, [id])
  const [result] = await restoreContacts(tx, actor, [id], services)
  if (result instanceof AppError) throw result
  return result!
}

/** Takes the locks that precede those of contacts. */
export async function lockBeforeRestore(tx: TenantTx, ids: readonly string[]): Promise<void> {
  const { emailKeys, accountIds } = await listContactReferences(tx, ids)
  await lockContactEmails(tx, emailKeys)
  await lockAccountNamesShared(tx, accountIds)
}

/** Returns a contact or an error per id. Requires `lockBeforeRestore`. */
export async function restoreContacts(
  tx: TenantTx,
  actor: UserActor,
  ids: readonly string[],
  services: ContactServices,
): Promise<(ContactRow | AppError)[]> {
  const now = services.clock.now()
  const contacts = await lockContactsIncludingDeleted(tx, ids)
  const rows = new Map(contacts.map((contact) => [contact.id, contact]))
  const emailOwners = await findContactIdsByEmails(
    tx,
    contacts.flatMap(({ email_key }) => email_key ?? []),
  )
  const checked = ids.map((id) =>
    attempt(() => {
      const contact = assertRecordRestorable(actor, rows.get(id), 'contact', now)
      const { email_key } = contact
      const emailOwner = email_key && emailOwners.get(email_key)
      if (emailOwner) throw contactEmailTaken(emailOwner)
      if (email_key) emailOwners.set(email_key, id)
      return contact
    }),
  )
  const restored = await restoreChecked(
    tx,
    checked.flatMap((outcome) => ('value' in outcome ? [outcome.value] : [])),
    services,
  )
  return checked.map((outcome, index) =>
    'error' in outcome ? outcome.error : (restored.get(ids[index]!) ?? notFound('deleted contact')),
  )
}

async function restoreChecked(
  tx: TenantTx,
  contacts: readonly ContactRow[],
  services: ContactServices,
): Promise<ReadonlyMap<string, ContactRow>> {
  if (!contacts.length) return new Map()
  // The account may have been renamed or deleted since.
  const accountNames = await findAccountNames(
    tx,
    contacts.flatMap(({ account_id }) => account_id ?? []),
  )
  const consents = await findRecordConsents(
    tx,
    services,
    contacts.map((contact) => ({
      email: contact.email,
      phone_e164: contact.phone_e164,
      record: contact as Parameters<typeof findRecordConsents>[2][number]['record'],
      since: contact.deleted_at!,
    })),
  )
  const updated = await restoreContactRows(
    tx,
    contacts.map((contact, index) => {
      const account_name = (contact.account_id && accountNames.get(contact.account_id)) ?? null
      const { search_text } = deriveContactColumns({ ...contact, account_name })
      return { id: contact.id, account_name, search_text, ...consents[index]! }
    }),
  )
  await recordContactRestorations(
    tx,
    contacts.map((before) => ({ before, after: updated.get(before.id)! })),
  )
  return updated
}
