import { readSettings } from '#modules/identity'
import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { AppError, Outcome } from '#platform/errors'
import type { Services } from '#platform/module'
import { claimManyUniqueValues } from '../../records/custom-values/claim-many-values.service.ts'
import { defaultSourceOf } from '../../records/records/provenance.queries.ts'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import { toOwnerColumns } from '../assignment/assignment.service.ts'
import { pickOwners } from '../assignment/new-lead-owners.service.ts'
import { findRecordConsents } from '../consent/find-consent.service.ts'
import { insertLeads } from '../lead-records/insert-leads.queries.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import type { NewLead } from '../lead-records/leads.schemas.ts'
import { registerLeadSources } from '../lead-sources/lead-sources.queries.ts'
import { getScoringConfig, lockScoringConfigShared } from '../scoring/scoring-config.queries.ts'
import { parseScoringConfig } from '../scoring/scoring-config.rules.ts'
import { readScoringCustomFields } from '../scoring/scoring-custom-fields.service.ts'
import { checkInputs, readReferences, resolveInputs } from './check-new-leads.service.ts'
import { toInsertedRow } from './new-lead.rules.ts'
import { dropDuplicates } from './new-lead-duplicates.service.ts'
import { recordCreatedLeads } from './record-created-leads.service.ts'

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
  const parsedConfig = parseScoringConfig(config, general.currency, await readScoringCustomFields(tx, config))
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
