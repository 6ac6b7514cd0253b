import type { TenantTx } from '#platform/db'
import { attempt, invalid } from '#platform/errors'
import { recordOptOuts } from '../../people/consent/record-opt-out.service.ts'
import { type ContactRow, lockContacts } from '../../people/contacts/contacts.queries.ts'
import { assertMayDeleteContact, deleteContactsOf } from '../../people/contacts/delete-contact.service.ts'
import { lockBeforeRestore, restoreContacts } from '../../people/contacts/restore-contacts.service.ts'
import { type BulkAction, type BulkContext, withApplyToAll } from '../bulk/bulk-action.ts'
import { assertOwnerParams } from '../bulk/owner-params.service.ts'
import { defineRemovalActions } from '../bulk/removal-actions.ts'
import { addTagsTo, assertTagParams, removeTagsFrom } from '../bulk/tag-params.rules.ts'
import type { BulkContactParams } from './contact-bulk.schemas.ts'
import { restoreContactValues, updateManyContacts } from './update-contact-values.service.ts'

const assign: BulkAction = {
  name: 'assign',
  takes: ['owner_id', 'distribute_to'],
  assertParams: assertOwnerParams,
  ...withApplyToAll((tx, ids, { owner_id = null, distribute_to: users }: BulkContactParams, by) =>
    updateManyContacts(
      tx,
      ids,
      (_contact, index) => ({ owner_id: users ? users[(by.offset + index) % users.length]! : owner_id }),
      by,
    ),
  ),
  undo: { fields: ['owner_id'], restore: restoreContactValues },
}

const defineTagAction = (
  name: string,
  nextTags: (current: readonly string[], tags: readonly string[]) => string[],
): BulkAction => ({
  name,
  takes: ['tags'],
  assertParams: assertTagParams,
  ...withApplyToAll((tx, ids, { tags = [] }: BulkContactParams, by) =>
    updateManyContacts(tx, ids, (contact) => ({ tags: nextTags(contact.tags, tags) }), by),
  ),
  undo: { fields: ['tags'], restore: restoreContactValues },
})

const optOut: BulkAction = {
  name: 'opt_out',
  takes: ['source'],
  ...withApplyToAll(async (tx, ids, { source = 'bulk opt-out' }: BulkContactParams, { services }) => {
    const contacts = await lockContacts(tx, ids)
    const emails = contacts.flatMap(({ email_key }) => email_key ?? [])
    const optedOut = await recordOptOuts(tx, services, { emails, reason: 'manual', source }, { leads: [], contacts })
    const emailById = new Map(contacts.map(({ id, email_key }) => [id, email_key]))
    return ids.map((id) => {
      const email = emailById.get(id) ?? null
      return email === null
        ? invalid('body', '/contact_ids', 'no_email', 'The contact has no email address.')
        : optedOut.has(email)
    })
  }),
}

async function deleteMany(tx: TenantTx, ids: readonly string[], { actor, now }: BulkContext) {
  const rows = new Map((await lockContacts(tx, ids)).map((contact) => [contact.id, contact]))
  const allowed: ContactRow[] = []
  const results = ids.map((id) =>
    attempt(() => {
      const contact = rows.get(id)!
      assertMayDeleteContact(actor, contact)
      allowed.push(contact)
    }),
  )
  await deleteContactsOf(tx, actor, allowed, now)
  return results.map((result) => ('error' in result ? result.error : true))
}

const removalActions = defineRemovalActions({
  deleteScope: 'contacts.delete',
  deleteAll: deleteMany,
  restoreAll: restoreContacts,
  lockBeforeRestore,
})

export const contactBulkActions: BulkAction[] = [
  assign,
  defineTagAction('add_tags', addTagsTo('contact')),
  defineTagAction('remove_tags', removeTagsFrom),
  optOut,
  ...removalActions,
]
