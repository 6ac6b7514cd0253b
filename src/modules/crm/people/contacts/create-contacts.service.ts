import { filterActiveUserIds } from '#modules/identity'
import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { type AppError, attempt, conflict, type Outcome, requireValue, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { checkManyNewValues } from '../../records/custom-values/check-custom-values.service.ts'
import { assertCustomSize, claimManyUniqueValues } from '../../records/custom-values/store-custom-values.service.ts'
import { defaultSourceOf, type Provenance, provenanceOf } from '../../records/fields/provenance.queries.ts'
import { assertValidCountryAndTimezone } from '../../records/fields/record.rules.ts'
import { lockAccountNamesShared } from '../../records/references/record-names.queries.ts'
import { findRecordConsents } from '../consent/find-consent.service.ts'
import { toContactStageColumns } from './contact-stage.rules.ts'
import { assertContactIdentifiable, deriveContactColumns } from './contact-values.ts'
import { type ContactRow, findContactIdsByEmails, insertContacts, lockContactEmails } from './contacts.queries.ts'
import type { NewContact } from './contacts.schemas.ts'
import { recordCreatedContacts } from './record-contacts.service.ts'

export type ContactServices = Pick<Services, 'clock' | 'secrets'>

export type NewContactOptions = { lead_id?: string; import_id?: string; provenance?: Provenance }

export async function createContact(
  tx: TenantTx,
  actor: Actor,
  input: NewContact,
  services: ContactServices,
  options?: NewContactOptions,
): Promise<ContactRow> {
  return requireValue((await createContacts(tx, actor, [input], services, options))[0]!)
}

type ContactDraft = {
  index: number
  id: string
  input: NewContact
  account_name: string | null
  derived: ReturnType<typeof deriveContactColumns>
}
type Errors = Map<number, AppError>

/** Creates contacts with a fixed number of statements. Returns a contact or an error per input; an error does not affect the others. */
export async function createContacts(
  tx: TenantTx,
  actor: Actor,
  inputs: readonly NewContact[],
  services: ContactServices,
  { lead_id, import_id, provenance = provenanceOf(actor) }: NewContactOptions = {},
): Promise<Outcome<ContactRow>[]> {
  const errors: Errors = new Map()
  const now = services.clock.now()
  const identifiable = inputs.flatMap((input, index) =>
    keep(errors, index, () => {
      assertContactIdentifiable(input)
      assertValidCountryAndTimezone(input)
      return { index, input }
    }),
  )
  const unique = await dropTakenEmails(tx, identifiable, errors)
  const references = await readReferences(tx, unique, { now, mayOmitRequired: provenance === 'convert' })
  const drafts = unique.flatMap(({ index, input }, position) =>
    keep(errors, index, () => toDraft(index, input, references, position)),
  )
  const claimed = await claimManyUniqueValues(tx, 'contact', drafts, errors)
  const consents = await findRecordConsents(
    tx,
    services,
    claimed.map(({ input: { email }, derived: { phone_e164 } }) => ({ email, phone_e164 })),
  )
  const contacts = await insertContacts(
    tx,
    claimed.map((draft, position) => ({
      ...toContactRow(draft, actor, now),
      ...consents[position]!,
      lead_id: lead_id ?? null,
      import_id: import_id ?? null,
    })),
  )
  await recordCreatedContacts(
    tx,
    contacts.map((contact, position) => ({ contact, input: inputs[claimed[position]!.index]! })),
    { provenance, now },
  )
  const created = new Map(claimed.map(({ index }, position) => [index, contacts[position]!]))
  return inputs.map((_, index) => {
    const contact = created.get(index)
    return contact ? { value: contact } : { error: errors.get(index)! }
  })
}

function keep<T>(errors: Errors, index: number, work: () => T): T[] {
  const outcome = attempt(work)
  if ('value' in outcome) return [outcome.value]
  errors.set(index, outcome.error)
  return []
}

type IndexedInput = { index: number; input: NewContact }

/** Drops contacts whose email address another contact has, also an earlier one of the same batch. */
async function dropTakenEmails(
  tx: TenantTx,
  items: readonly IndexedInput[],
  errors: Errors,
): Promise<readonly IndexedInput[]> {
  const keys = items.flatMap(({ input: { email } }) => (email ? [email.toLowerCase()] : []))
  if (!keys.length) return items
  await lockContactEmails(tx, keys)
  const owners = await findContactIdsByEmails(tx, keys)
  return items.filter(({ index, input: { email } }) => {
    const key = email?.toLowerCase()
    if (!key) return true
    const owner = owners.get(key)
    if (owner !== undefined) errors.set(index, contactEmailTaken(owner || null))
    else owners.set(key, '')
    return owner === undefined
  })
}

export const contactEmailTaken = (existingId: string | null): AppError =>
  conflict('already_exists', 'A contact with this email address already exists.', { existing_id: existingId })

type References = Awaited<ReturnType<typeof readReferences>>

/** Account names stay unchanged until the contacts are written. */
async function readReferences(
  tx: TenantTx,
  items: readonly IndexedInput[],
  options: Parameters<typeof checkManyNewValues>[3],
) {
  const inputs = items.map(({ input }) => input)
  const activeOwners = await filterActiveUserIds(
    tx,
    inputs.flatMap(({ owner_id }) => owner_id ?? []),
  )
  const accountIds = [...new Set(inputs.flatMap(({ account_id }) => account_id ?? []))]
  const accountNames = await lockAccountNamesShared(tx, accountIds)
  const customs = inputs.map(({ custom = {} }) => custom)
  return { activeOwners, accountNames, customs: await checkManyNewValues(tx, 'contact', customs, options) }
}

function toDraft(index: number, input: NewContact, references: References, position: number): ContactDraft {
  const { activeOwners, accountNames, customs } = references
  const { owner_id, account_id } = input
  if (owner_id && !activeOwners.has(owner_id)) throw unknownReference('/owner_id', 'active user')
  const account_name = account_id ? accountNames.get(account_id) : null
  if (account_name === undefined) throw unknownReference('/account_id', 'account')
  const custom = requireValue(customs[position]!)
  assertCustomSize(custom)
  const derived = deriveContactColumns({ ...input, account_name })
  return { index, id: newId(), input: { ...input, custom }, account_name, derived }
}

const noStage = {
  lifecycle_stage: null,
  mql_at: null,
  sql_at: null,
  opportunity_at: null,
  customer_at: null,
  former_customer_at: null,
}

function toContactRow({ id, input, account_name, derived }: ContactDraft, actor: Actor, now: Date) {
  const { tags = [], custom = {}, lifecycle_stage = 'lead', source = defaultSourceOf(actor), ...fields } = input
  return {
    id,
    ...fields,
    ...derived,
    ...toContactStageColumns(noStage, lifecycle_stage, now),
    account_name,
    source,
    custom,
    tags,
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  }
}
