import { reaches, type SignedIn } from '#platform/access'
import { record, recordEach } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid, roleRequired, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import { contactMerged } from '../crm.events.ts'
import { noteProvenance } from '../persons/provenance.queries.ts'
import { storeTags } from '../persons/tags.queries.ts'
import { moveChildren } from './contact-children.queries.ts'
import { announceStage } from './contact-stage.service.ts'
import { derivedFrom, labelOf } from './contact-values.ts'
import { type ContactRow, changeContactFields, getContact } from './contacts.queries.ts'
import type { ContactMerge, MergedContact } from './contacts.schemas.ts'
import { showContact } from './find-contacts.service.ts'
import { lockWithTies } from './lock-with-ties.service.ts'
import { assertPreferences, mergedValues } from './merge-contacts.rules.ts'

/** Makes one contact of several for the same person. What happened with the others is its history from now on. */
export async function mergeContacts(
  tx: TenantTx,
  actor: SignedIn,
  contactId: string,
  { duplicate_ids, prefer = {} }: ContactMerge,
  now: Date,
): Promise<MergedContact> {
  if (duplicate_ids.includes(contactId))
    throw invalid('body', '/duplicate_ids', 'self', 'A contact is not a duplicate of itself.')
  await getContact(tx, contactId)
  const { contacts, accountNames } = await lockWithTies(tx, [contactId, ...duplicate_ids])
  const primary = contacts.find(({ id }) => id === contactId) ?? (await getContact(tx, contactId))
  const others = duplicate_ids.map((id, index) => {
    const found = contacts.find((contact) => contact.id === id)
    if (!found) throw unknownReference(`/duplicate_ids/${index}`, 'contact')
    return found
  })
  if (!contacts.every((contact) => reaches(actor, 'contacts.delete', contact)))
    throw roleRequired('Only managers, and whoever owns all of these contacts, may merge them.')
  assertPreferences(prefer, contacts)

  await retire(tx, others, { into: contactId, by: actor.userId, now })
  await moveChildren(tx, duplicate_ids, contactId)
  const merged = await writeMerged(tx, primary, mergedValues(primary, others, prefer), accountNames)
  await announce(tx, primary, merged, others, now)
  return { contact: await showContact(tx, merged), merged_ids: duplicate_ids }
}

type Retirement = { into: string; by: string; now: Date }

/** Ahead of the one that stays, which may take over an address of theirs. */
async function retire(tx: TenantTx, others: readonly ContactRow[], { into, by, now }: Retirement): Promise<void> {
  for (const { id } of others)
    await changeContactFields(tx, id, { merged_into_id: into, deleted_at: now, deleted_by: by })
  for (const { id } of others) await storeTags(tx, 'contact', id, [])
}

async function writeMerged(
  tx: TenantTx,
  primary: ContactRow,
  { custom, ...values }: ReturnType<typeof mergedValues>,
  accountNames: ReadonlyMap<string, string>,
): Promise<ContactRow> {
  const account_name = values.account_id === null ? null : (accountNames.get(values.account_id) ?? null)
  const columns = {
    ...values,
    account_name,
    ...derivedFrom({ ...values, account_name }),
    custom: JSON.stringify(custom),
  }
  const merged = await changeContactFields(tx, primary.id, columns)
  await storeTags(tx, 'contact', primary.id, merged.tags)
  return merged
}

async function announce(tx: TenantTx, before: ContactRow, after: ContactRow, others: readonly ContactRow[], now: Date) {
  const merged_ids = others.map(({ id }) => id)
  const changed = (Object.keys(after) as (keyof ContactRow)[]).filter((field) => after[field] !== before[field])
  const taken = changed.filter((field) =>
    others.some((other) => other[field] === after[field] && after[field] !== null),
  )
  await noteProvenance(tx, 'contact', after.id, taken, { source: 'merge', at: now })
  await record(tx, 'contact.merged', { id: after.id, label: labelOf(after), before, after })
  await recordEach(
    tx,
    'contact.deleted',
    others.map((other) => ({ id: other.id, label: labelOf(other), before: other })),
  )
  await noteSystemActivity(tx, { contact_id: after.id }, { type: 'merged', meta: { merged_ids }, at: now })
  await emit(tx, contactMerged, after, { merged_ids })
  if (after.lifecycle_stage !== before.lifecycle_stage) await announceStage(tx, before, after, { cause: 'merge', now })
}
