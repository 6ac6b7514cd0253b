import { filterActiveUserIds } from '#modules/identity'
import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion, attempt, notFound, type Outcome, requireValue, unknownReference } from '#platform/errors'
import { checkManyCustomChanges } from '../../records/custom-values/check-custom-values.service.ts'
import { assertCustomSize } from '../../records/custom-values/store-custom-values.service.ts'
import { type FieldSource, type Provenance, provenanceOf } from '../../records/fields/provenance.queries.ts'
import { assertValidCountryAndTimezone, changedRecordFields } from '../../records/fields/record.rules.ts'
import { lockAccountNamesShared } from '../../records/references/record-names.queries.ts'
import { moveConsents } from '../consent/inherit-consent.service.ts'
import { assertContactStageChange, toContactStageColumns } from './contact-stage.rules.ts'
import { assertContactIdentifiable, deriveContactColumns } from './contact-values.ts'
import {
  type ContactRow,
  findContactIdsByEmails,
  getContact,
  lockContactEmails,
  lockContacts,
  updateContactRows,
} from './contacts.queries.ts'
import type { ContactChanges } from './contacts.schemas.ts'
import { type ContactServices, contactEmailTaken } from './create-contacts.service.ts'
import { type ContactChange, recordContactChanges } from './record-contact-changes.service.ts'

type UpdateOptions = { provenance?: Provenance; enrichedFrom?: readonly FieldSource[] }
type SingleUpdate = UpdateOptions & { changes: ContactChanges; expectedVersion?: number }

export async function updateContact(
  tx: TenantTx,
  actor: Actor,
  contactId: string,
  { changes, expectedVersion, ...options }: SingleUpdate,
  services: ContactServices,
): Promise<ContactRow> {
  // Return 404 before any validation error, with the contact that this one was merged into.
  if (changes.email || changes.account_id) await getContact(tx, contactId)
  const [outcome] = await updateContacts(tx, actor, [{ id: contactId, changes, expectedVersion }], services, options)
  if ('error' in outcome! && outcome.error.status === 404) await getContact(tx, contactId)
  return requireValue(outcome!)
}

export type ContactUpdate = { id: string; changes: ContactChanges; expectedVersion?: number }

/**
 * Writes all changes of each contact in one update (one new version), with a fixed number of statements unless addresses change.
 * Every contact occurs once. Returns the contact or an error per update. Lock order: email, account, contact.
 */
export async function updateContacts(
  tx: TenantTx,
  actor: Actor,
  updates: readonly ContactUpdate[],
  services: ContactServices,
  { provenance = provenanceOf(actor), enrichedFrom }: UpdateOptions = {},
): Promise<Outcome<ContactRow>[]> {
  const now = services.clock.now()
  const references = await lockReferences(tx, updates, now)
  const plans = updates.map((update, index) => attempt(() => planChange(update, references, index, now)))
  const planned = plans.flatMap((plan) => ('value' in plan && plan.value.columns ? [plan.value] : []))
  const consents = await moveConsents(
    tx,
    services,
    planned.map(({ before, columns }) => ({
      record: { ...before, ref: { kind: 'contact' as const, id: before.id } },
      addresses: { email: columns!.email, phone_e164: columns!.phone_e164 },
    })),
  )
  const rows = planned.map(({ before, columns }) => ({ ...before, ...columns!, ...consents.get(before.id) }))
  const updated = await updateContactRows(tx, rows)
  const changes = planned.map(
    ({ before, fields, reason }, index): ContactChange => ({ before, after: updated[index]!, fields, reason }),
  )
  await recordContactChanges(tx, changes, { provenance, enrichedFrom, now })
  const afterById = new Map(updated.map((contact) => [contact.id, contact]))
  return plans.map((plan) =>
    'error' in plan ? plan : { value: afterById.get(plan.value.before.id) ?? plan.value.before },
  )
}

type References = Awaited<ReturnType<typeof lockReferences>>

async function lockReferences(tx: TenantTx, updates: readonly ContactUpdate[], now: Date) {
  const changes = updates.map((update) => update.changes)
  const emailKeys = changes.flatMap(({ email }) => (email ? [email.toLowerCase()] : []))
  await lockContactEmails(tx, emailKeys)
  const emailOwners = emailKeys.length ? await findContactIdsByEmails(tx, emailKeys) : new Map<string, string>()
  const accountNames = await lockAccountNamesShared(
    tx,
    changes.flatMap(({ account_id }) => account_id ?? []),
  )
  const contacts = await lockContacts(
    tx,
    updates.map(({ id }) => id),
  )
  const activeOwners = await filterActiveUserIds(
    tx,
    changes.flatMap(({ owner_id }) => owner_id ?? []),
  )
  const customs = changes.some(({ custom }) => custom)
    ? await checkManyCustomChanges(
        tx,
        'contact',
        changes.map(({ custom = {} }) => custom),
        now,
      )
    : undefined
  return { emailOwners, accountNames, contacts: new Map(contacts.map((row) => [row.id, row])), activeOwners, customs }
}

function planChange({ id, changes, expectedVersion }: ContactUpdate, references: References, index: number, now: Date) {
  const { emailOwners, accountNames, contacts, activeOwners, customs } = references
  const before = contacts.get(id)
  if (!before) throw notFound('contact')
  const emailOwner = changes.email && emailOwners.get(changes.email.toLowerCase())
  if (emailOwner && emailOwner !== id) throw contactEmailTaken(emailOwner)
  if (changes.account_id && !accountNames.has(changes.account_id)) throw unknownReference('/account_id', 'account')
  assertVersion(before, expectedVersion)
  // `stage_reason` alone is not a change.
  const { stage_reason: reason, ...requested } = changes
  const custom = changes.custom && requireValue(customs![index]!)
  const changed = changedRecordFields(before, { ...requested, ...(custom && { custom }) })
  const fields = Object.keys(changed)
  if (!fields.length) return { before, fields, reason, columns: null }
  assertContactIdentifiable({ ...before, ...changed })
  assertValidCountryAndTimezone(changed)
  if (changed.lifecycle_stage) assertContactStageChange(before.lifecycle_stage, changed.lifecycle_stage, reason)
  if (changed.owner_id && !activeOwners.has(changed.owner_id)) throw unknownReference('/owner_id', 'active user')
  if (changed.custom) assertCustomSize(changed.custom)
  // The address belongs to this contact for the rest of the batch.
  if (changed.email) emailOwners.set(changed.email.toLowerCase(), id)
  return { before, fields, reason, columns: toColumns(before, changed, accountNames, now) }
}

type ContactFieldChanges = Omit<ContactChanges, 'stage_reason'>

function toColumns(
  contact: ContactRow,
  { lifecycle_stage, ...changed }: ContactFieldChanges,
  accountNames: ReadonlyMap<string, string>,
  now: Date,
) {
  const { account_id } = changed
  const account_name = account_id === undefined ? contact.account_name : account_id && accountNames.get(account_id)!
  return {
    ...changed,
    account_name,
    ...deriveContactColumns({ ...contact, ...changed, account_name }),
    ...(lifecycle_stage && toContactStageColumns(contact, lifecycle_stage, now)),
  }
}
