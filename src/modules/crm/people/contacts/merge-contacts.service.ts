import { canAccess, type UserActor } from '#platform/access'
import { recordAudit, recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid, roleRequired, unknownReference } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { contactMerged } from '../../crm.events.ts'
import { deleteCustomValues, storeCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { recordProvenance } from '../../records/fields/provenance.queries.ts'
import { replaceTags } from '../../records/fields/tags.queries.ts'
import { repointReferences } from '../../records/references/merge-references.queries.ts'
import { insertSystemActivity } from '../../records/system-activities/system-activities.queries.ts'
import type { RecordConsent } from '../consent/consent.rules.ts'
import { inheritConsent } from '../consent/inherit-consent.service.ts'
import { recordContactStageChange } from './contact-stage.service.ts'
import { contactLabel, deriveContactColumns } from './contact-values.ts'
import { type ContactRow, getContact, updateContactRow } from './contacts.queries.ts'
import type { ContactMerge, MergedContact } from './contacts.schemas.ts'
import { toContactDetails } from './list-contacts.service.ts'
import { lockContactsWithRelated } from './lock-related-records.service.ts'
import { assertContactMergePreferences, deriveMergedContact } from './merge-contacts.rules.ts'
import { deleteDuplicateDealContacts } from './related-records.queries.ts'

export async function mergeContacts(
  tx: TenantTx,
  actor: UserActor,
  contactId: string,
  { duplicate_ids, prefer = {} }: ContactMerge,
  services: Pick<Services, 'clock' | 'registry' | 'secrets'>,
): Promise<MergedContact> {
  const now = services.clock.now()
  if (duplicate_ids.includes(contactId))
    throw invalid('body', '/duplicate_ids', 'self', '`duplicate_ids` must not contain the surviving contact.')
  await getContact(tx, contactId)
  const { contacts, accountNames } = await lockContactsWithRelated(tx, [contactId, ...duplicate_ids])
  const primary = contacts.find(({ id }) => id === contactId) ?? (await getContact(tx, contactId))
  const duplicates = duplicate_ids.map((id, index) => {
    const duplicate = contacts.find((contact) => contact.id === id)
    if (!duplicate) throw unknownReference(`/duplicate_ids/${index}`, 'contact')
    return duplicate
  })
  if (!contacts.every((contact) => canAccess(actor, 'contacts.delete', contact)))
    throw roleRequired('Only managers and the owner of all these contacts can merge them.')
  assertContactMergePreferences(prefer, contacts)

  await markMerged(tx, duplicates, { into: contactId, by: actor.userId, now })
  await deleteDuplicateDealContacts(tx, duplicate_ids, contactId)
  const repoint = (isAfterConsent: boolean) =>
    repointReferences(tx, services.registry, { to: 'contact', isAfterConsent, fromIds: duplicate_ids, toId: contactId })
  await repoint(false)
  const values = deriveMergedContact(primary, duplicates, prefer)
  const consent = await inheritConsent(tx, services, toInheritance(primary, duplicates, values))
  await repoint(true)
  const merged = await updatePrimary(tx, primary, { ...values, ...consent }, accountNames)
  await recordMerge(tx, primary, merged, duplicates, now)
  return { contact: await toContactDetails(tx, merged), merged_ids: duplicate_ids }
}

type MergedValues = ReturnType<typeof deriveMergedContact>

function toInheritance(primary: ContactRow, duplicates: readonly ContactRow[], values: MergedValues) {
  const ref = { kind: 'contact' as const, id: primary.id }
  const { phone_e164 } = deriveContactColumns({ ...values, account_name: null })
  const target = { ref, email_key: values.email?.toLowerCase() ?? null, phone_e164 }
  return { target, records: [primary, ...duplicates], source: `merge into contact ${primary.id}` }
}

type MergeContext = { into: string; by: string; now: Date }

/** Must run before the surviving contact is written, which may take over an email address. */
async function markMerged(
  tx: TenantTx,
  duplicates: readonly ContactRow[],
  { into, by, now }: MergeContext,
): Promise<void> {
  for (const { id } of duplicates)
    await updateContactRow(tx, id, { merged_into_id: into, deleted_at: now, deleted_by: by })
  for (const { id } of duplicates) await replaceTags(tx, 'contact', id, [])
  await deleteCustomValues(
    tx,
    duplicates.map(({ id }) => id),
  )
}

async function updatePrimary(
  tx: TenantTx,
  primary: ContactRow,
  { custom, ...values }: MergedValues & RecordConsent,
  accountNames: ReadonlyMap<string, string>,
): Promise<ContactRow> {
  const account_name = values.account_id === null ? null : (accountNames.get(values.account_id) ?? null)
  const columns = {
    ...values,
    account_name,
    ...deriveContactColumns({ ...values, account_name }),
    custom: JSON.stringify(custom),
  }
  const merged = await updateContactRow(tx, primary.id, columns)
  await storeCustomValues(tx, 'contact', merged)
  await replaceTags(tx, 'contact', primary.id, merged.tags)
  return merged
}

async function recordMerge(
  tx: TenantTx,
  before: ContactRow,
  after: ContactRow,
  duplicates: readonly ContactRow[],
  now: Date,
) {
  const merged_ids = duplicates.map(({ id }) => id)
  const changed = (Object.keys(after) as (keyof ContactRow)[]).filter((field) => after[field] !== before[field])
  const takenFields = changed.filter((field) =>
    duplicates.some((other) => other[field] === after[field] && after[field] !== null),
  )
  await recordProvenance(tx, 'contact', after.id, takenFields, { source: 'merge', at: now })
  await recordAudit(tx, 'contact.merged', { id: after.id, label: contactLabel(after), before, after })
  await recordAuditEntries(
    tx,
    'contact.deleted',
    duplicates.map((other) => ({ id: other.id, label: contactLabel(other), before: other })),
  )
  await insertSystemActivity(tx, { contact_id: after.id }, { type: 'merged', meta: { merged_ids }, at: now })
  await emit(tx, contactMerged, after, { merged_ids })
  if (after.lifecycle_stage !== before.lifecycle_stage)
    await recordContactStageChange(tx, before, after, { cause: 'merge', now })
}
