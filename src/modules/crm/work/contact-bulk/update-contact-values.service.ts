import type { TenantTx } from '#platform/db'
import { attempt } from '#platform/errors'
import { type ContactRow, lockContacts } from '../../people/contacts/contacts.queries.ts'
import type { ContactChanges } from '../../people/contacts/contacts.schemas.ts'
import { updateContacts } from '../../people/contacts/update-contacts.service.ts'
import type { BulkContext, FormerRecord, RecordResult } from '../bulk/bulk-action.ts'

/** Changes contacts that the transaction has locked. `changesOf` throws to reject a contact. */
export async function updateManyContacts(
  tx: TenantTx,
  ids: readonly string[],
  changesOf: (contact: ContactRow, index: number) => ContactChanges,
  { actor, services }: BulkContext,
): Promise<RecordResult[]> {
  const rows = new Map((await lockContacts(tx, ids)).map((contact) => [contact.id, contact]))
  const plans = ids.map((id, index) => attempt(() => ({ id, changes: changesOf(rows.get(id)!, index) })))
  const updates = plans.flatMap((plan) => ('value' in plan ? [plan.value] : []))
  const outcomes = await updateContacts(tx, actor, updates, services)
  const outcomeOf = new Map(updates.map(({ id }, index) => [id, outcomes[index]!]))
  return plans.map((plan) => {
    if ('error' in plan) return plan.error
    const { id } = plan.value
    const outcome = outcomeOf.get(id)!
    return 'error' in outcome ? outcome.error : outcome.value.version !== rows.get(id)!.version
  })
}

export async function restoreContactValues(
  tx: TenantTx,
  contacts: readonly FormerRecord[],
  by: BulkContext,
): Promise<RecordResult[]> {
  const formerOf = new Map(contacts.map(({ id, before }) => [id, before as ContactChanges]))
  return await updateManyContacts(
    tx,
    contacts.map(({ id }) => id),
    ({ id }) => formerOf.get(id)!,
    by,
  )
}
