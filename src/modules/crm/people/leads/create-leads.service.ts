import { filterActiveUserIds, readSettings } from '#modules/identity'
import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { type AppError, attempt, type Outcome, requireValue, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { checkManyNewValues } from '../../records/custom-values/check-custom-values.service.ts'
import { findUniqueValues } from '../../records/custom-values/custom-values.queries.ts'
import { lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import { toUniqueValues, type UniqueValue } from '../../records/custom-values/index-entries.rules.ts'
import {
  assertCustomSize,
  claimManyUniqueValues,
  valueTaken,
} from '../../records/custom-values/store-custom-values.service.ts'
import { convertAnnualRevenue } from '../../records/fields/annual-revenue.service.ts'
import { defaultSourceOf } from '../../records/fields/provenance.queries.ts'
import { assertValidCountryAndTimezone } from '../../records/fields/record.rules.ts'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import { readCurrencyRates } from '../../records/settings/crm-settings.service.ts'
import { pickOwners, toOwnerColumns } from '../assignment/assignment.service.ts'
import { findRecordConsents, readSubjectKey } from '../consent/find-consent.service.ts'
import { insertLeads } from '../lead-records/insert-leads.queries.ts'
import { emailTaken } from '../lead-records/lead-email.service.ts'
import { findLeadIdsByEmails, type LeadRow, lockLeadEmails } from '../lead-records/leads.queries.ts'
import { assertDisqualifyReason, assertIdentifiable, deriveLeadColumns } from '../lead-records/leads.rules.ts'
import type { NewLead } from '../lead-records/leads.schemas.ts'
import { registerLeadSources } from '../lead-sources/lead-sources.queries.ts'
import { readParsedScoringConfig } from '../scoring/parsed-scoring-config.service.ts'
import { getScoringConfig, lockScoringConfigShared } from '../scoring/scoring.queries.ts'
import { type LeadDraft, toInsertedRow } from './new-lead.rules.ts'
import { recordCreatedLeads } from './record-created-leads.service.ts'

type ValidInput = { index: number; input: NewLead; derived: ReturnType<typeof deriveLeadColumns> }
type ErrorsByIndex = Map<number, AppError>

function keepValid<Item extends { index: number }, Result>(
  items: readonly Item[],
  errors: ErrorsByIndex,
  check: (item: Item, position: number) => Result,
): Result[] {
  return items.flatMap((item, position) => {
    const outcome = attempt(() => check(item, position))
    if ('value' in outcome) return [outcome.value]
    errors.set(item.index, outcome.error)
    return []
  })
}

function checkInputs(inputs: readonly NewLead[], errors: ErrorsByIndex): ValidInput[] {
  const items = inputs.map((input, index) => ({ index, input }))
  return keepValid(items, errors, ({ index, input }) => {
    assertIdentifiable(input)
    assertValidCountryAndTimezone(input)
    assertDisqualifyReason(input.status ?? 'new', input.disqualify_reason)
    return { index, input, derived: deriveLeadColumns(input) }
  })
}

type References = Awaited<ReturnType<typeof readReferences>>

async function readReferences(
  tx: TenantTx,
  services: Pick<Services, 'secrets'>,
  valid: readonly ValidInput[],
  now: Date,
) {
  const inputs = valid.map(({ input }) => input)
  const currencies = new Set(inputs.flatMap(({ annual_revenue }) => annual_revenue?.currency ?? []))
  const [customs, subjectKey, activeOwners, rates] = await Promise.all([
    checkManyNewValues(
      tx,
      'lead',
      inputs.map(({ custom = {} }) => custom),
      { now },
    ),
    readSubjectKey(tx, services),
    filterActiveUserIds(
      tx,
      inputs.flatMap(({ owner_id }) => owner_id ?? []),
    ),
    currencies.size ? readCurrencyRates(tx, currencies) : { base: '', rates: {} },
  ])
  return { customs, subjectKey, activeOwners, rates }
}

function resolveInputs(valid: readonly ValidInput[], references: References, errors: ErrorsByIndex): LeadDraft[] {
  const { customs, activeOwners, rates } = references
  return keepValid(valid, errors, ({ index, input, derived }, position): LeadDraft => {
    const custom = requireValue(customs[position]!)
    if (input.owner_id && !activeOwners.has(input.owner_id)) throw unknownReference('/owner_id', 'active user')
    const revenue = convertAnnualRevenue(input.annual_revenue ?? null, rates)
    assertCustomSize(custom)
    return {
      index,
      id: newId(),
      input: { ...input, custom },
      derived: { ...derived, ...revenue },
    }
  })
}

const keyOf = ({ field_id, value_hash }: UniqueValue) => `${field_id}:${value_hash}`

/** Drops leads whose email address or unique value another lead has, also an earlier one of the same batch. */
async function dropDuplicates(
  tx: TenantTx,
  drafts: readonly LeadDraft[],
  { rejectsEmails }: { rejectsEmails: boolean },
  errors: ErrorsByIndex,
): Promise<LeadDraft[]> {
  const emailKeyOf = ({ input }: LeadDraft) => (rejectsEmails && input.email ? input.email.toLowerCase() : undefined)
  const emailOwners = await findEmailOwners(
    tx,
    drafts.flatMap((draft) => emailKeyOf(draft) ?? []),
  )
  const wanted = await readWantedValues(tx, drafts)
  const all = [...wanted.values.values()].flat()
  const valueOwners = new Map((all.length ? await findUniqueValues(tx, all) : []).map((value) => [keyOf(value), value]))
  return drafts.filter((draft) => {
    const emailKey = emailKeyOf(draft)
    const values = wanted.values.get(draft.id) ?? []
    const emailOwner = emailKey && emailOwners.get(emailKey)
    const taken = values.map((value) => valueOwners.get(keyOf(value))).find((value) => value !== undefined)
    if (emailOwner) errors.set(draft.index, emailTaken(emailOwner))
    else if (taken) errors.set(draft.index, valueTaken(wanted.fieldKeyOf(taken), taken.record_id))
    if (emailOwner || taken) return false
    if (emailKey) emailOwners.set(emailKey, draft.id)
    for (const value of values) valueOwners.set(keyOf(value), value)
    return true
  })
}

async function findEmailOwners(tx: TenantTx, emailKeys: readonly string[]): Promise<Map<string, string>> {
  if (!emailKeys.length) return new Map()
  await lockLeadEmails(tx, emailKeys)
  return await findLeadIdsByEmails(tx, emailKeys)
}

async function readWantedValues(tx: TenantTx, drafts: readonly LeadDraft[]) {
  const fields = (await lockCustomFieldsShared(tx, 'lead')).filter(({ is_unique }) => is_unique)
  const values = new Map(drafts.map(({ id, input }) => [id, toUniqueValues(fields, id, input.custom ?? {})]))
  const fieldKeyOf = ({ field_id }: UniqueValue) => fields.find(({ id }) => id === field_id)?.key ?? 'custom'
  return { values, fieldKeyOf }
}

export async function createLead(
  tx: TenantTx,
  actor: Actor,
  input: NewLead,
  services: LeadServices,
  options?: NewLeadOptions,
): Promise<LeadRow> {
  return requireValue((await createLeads(tx, actor, [input], services, options))[0]!)
}

export type LeadServices = Pick<Services, 'clock' | 'secrets'>
export type NewLeadOptions = { startSla?: boolean; autoAssign?: boolean; importId?: string | null }

/** Creates leads with a fixed number of statements. Returns a lead or an error per input; an error does not affect the others. */
export async function createLeads(
  tx: TenantTx,
  actor: Actor,
  inputs: readonly NewLead[],
  services: LeadServices,
  {
    startSla = actor.origin !== 'import',
    autoAssign = actor.origin !== 'import',
    importId = null,
  }: NewLeadOptions = {},
): Promise<Outcome<LeadRow>[]> {
  const errors = new Map<number, AppError>()
  const now = services.clock.now()
  const valid = checkInputs(inputs, errors)
  const [, config, { duplicates, assignment, sla }, general, references] = await Promise.all([
    lockScoringConfigShared(tx),
    getScoringConfig(tx),
    readCrmSettings(tx),
    readSettings(tx, 'general'),
    readReferences(tx, services, valid, now),
  ])
  const resolved = resolveInputs(valid, references, errors)
  const drafts = await dropDuplicates(tx, resolved, { rejectsEmails: duplicates.lead_email === 'reject' }, errors)
  const parsedConfig = await readParsedScoringConfig(tx, config, general.currency)
  const createdBy = actor.userId
  const context = { now, createdBy, importId, config, parsedConfig, general, sla: startSla ? sla : null }
  const sourceOf = ({ source = defaultSourceOf(actor) }: NewLead) => source

  const insert = async () => {
    // A concurrent transaction may have taken a value since `dropDuplicates`.
    const claimed = await claimManyUniqueValues(tx, 'lead', drafts, errors)
    const owners = await pickOwners(
      tx,
      autoAssign ? assignment : { mode: 'none', owner_ids: [] },
      claimed.map(({ input }) => input),
      now,
    )
    const addresses = claimed.map(({ input: { email }, derived: { phone_e164 } }) => ({ email, phone_e164 }))
    const consents = await findRecordConsents(tx, services, addresses, references.subjectKey)
    const rows = claimed.map((draft, index) => {
      const late = { ...toOwnerColumns(owners[index]!, now), ...consents[index]!, source: sourceOf(draft.input) }
      return toInsertedRow(draft, late, context)
    })
    return { claimed, leads: await insertLeads(tx, rows) }
  }
  if (!drafts.length) return inputs.map((_, index) => ({ error: errors.get(index)! }))
  const [, { claimed, leads }] = await Promise.all([
    registerLeadSources(
      tx,
      drafts.map(({ input }) => sourceOf(input)),
    ),
    insert(),
  ])
  await recordCreatedLeads(
    tx,
    actor,
    leads.map((lead, index) => ({ lead, input: inputs[claimed[index]!.index]! })),
  )
  const created = new Map(claimed.map(({ index }, position) => [index, leads[position]!]))
  return inputs.map((_, index) => {
    const lead = created.get(index)
    return lead ? { value: lead } : { error: errors.get(index)! }
  })
}
