import { readSettings } from '#modules/identity'
import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { emitOwnerChange, pickOwner, toOwnerColumns } from '../assignment/assignment.service.ts'
import { findCallStatus, findEmailStatus } from '../consent/suppressions.service.ts'
import { leadCreated } from '../crm.events.ts'
import { checkNewCustomValues } from '../custom-values/check-custom-values.service.ts'
import { storeCustomValues } from '../custom-values/store-custom-values.service.ts'
import { insertLead } from '../lead-records/insert-lead.queries.ts'
import { assertIdentifiable, deriveLeadColumns } from '../lead-records/lead-columns.rules.ts'
import { assertEmailIsUnused } from '../lead-records/lead-email.service.ts'
import { recordStageChanges } from '../lead-records/lead-stage.service.ts'
import { assertDisqualifyReason } from '../lead-records/lead-status.rules.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import type { NewLead } from '../lead-records/leads.schemas.ts'
import { registerLeadSource } from '../lead-sources/lead-sources.queries.ts'
import { insertLifecycleEvents } from '../persons/lifecycle.queries.ts'
import { toAnnualRevenueColumns } from '../records/annual-revenue.service.ts'
import { nonEmptyFields } from '../records/changed-fields.rules.ts'
import { assertAssignable } from '../records/owners.service.ts'
import { assertValidCountryAndTimezone } from '../records/place.rules.ts'
import { defaultSourceOf, provenanceOf, recordProvenance } from '../records/provenance.queries.ts'
import { replaceTags } from '../records/tags.queries.ts'
import { insertScoreHistory } from '../scoring/scoring.queries.ts'
import { getScoringConfig, lockScoringConfigShared } from '../scoring/scoring-config.queries.ts'
import { readScoringCustomFields } from '../scoring/scoring-custom-fields.service.ts'
import { readCrmSettings } from '../settings/crm-settings.queries.ts'
import { scheduleSlaCheck } from '../sla/sla.jobs.ts'
import { initialStageOf, toNewLeadColumns } from './new-lead.rules.ts'

export type LeadServices = Pick<Services, 'clock' | 'secrets'>

/** Creates a lead: validates, assigns an owner, scores it and sets the SLA deadline in one transaction. */
export async function createLead(
  tx: TenantTx,
  actor: Actor,
  input: NewLead,
  services: LeadServices,
  { startSla = actor.origin !== 'import' }: { startSla?: boolean } = {},
): Promise<LeadRow> {
  assertIdentifiable(input)
  assertValidCountryAndTimezone(input)
  assertDisqualifyReason(input.status ?? 'new', input.disqualify_reason)
  const now = services.clock.now()
  const derived = deriveLeadColumns(input)
  const [, config, settings, general, custom, email_status, call_status] = await Promise.all([
    lockScoringConfigShared(tx),
    getScoringConfig(tx),
    readCrmSettings(tx),
    readSettings(tx, 'general'),
    checkNewCustomValues(tx, 'lead', input.custom, { now }),
    findEmailStatus(tx, services, input.email ?? null),
    findCallStatus(tx, services, derived.phone_e164),
    assertAssignable(tx, input.owner_id),
  ])
  const { duplicates, assignment, sla } = settings
  if (duplicates.lead_email === 'reject' && input.email) await assertEmailIsUnused(tx, input.email)

  const scoringCustomFields = await readScoringCustomFields(tx, config)
  const source = input.source ?? defaultSourceOf(actor)
  const context = { now, createdBy: actor.userId, config, scoringCustomFields, general, sla: startSla ? sla : null }
  const insert = async () => {
    const ownerId = input.owner_id === undefined ? await pickOwner(tx, assignment, now) : input.owner_id
    const revenue = await toAnnualRevenueColumns(tx, input.annual_revenue ?? null)
    const statuses = { email_status, call_status }
    const resolved = { ...derived, ...toOwnerColumns(ownerId, now), ...revenue, ...statuses, source }
    return await insertLead(tx, toLeadRow(toNewLeadColumns({ ...input, custom }, resolved, context)))
  }
  const [, lead] = await Promise.all([registerLeadSource(tx, source), insert()])
  await recordCreation(tx, actor, input, lead)
  return lead
}

const toLeadRow = ({ utm, custom, score_reasons, ...columns }: ReturnType<typeof toNewLeadColumns>) => ({
  id: newId(),
  ...columns,
  utm: utm && JSON.stringify(utm),
  custom: JSON.stringify(custom),
  score_reasons: JSON.stringify(score_reasons),
})

/** A stage that the score has reached is recorded as a change after the creation. */
async function recordCreation(tx: TenantTx, actor: Actor, input: NewLead, lead: LeadRow): Promise<void> {
  const { id, created_at: now, sla_due_at } = lead
  const lifecycle_stage = initialStageOf(input)
  const isAdvanced = lifecycle_stage !== lead.lifecycle_stage
  const created = isAdvanced ? { ...lead, lifecycle_stage, mql_at: null } : lead
  await Promise.all([
    storeCustomValues(tx, 'lead', lead),
    lead.tags.length && replaceTags(tx, 'lead', id, lead.tags),
    recordProvenance(tx, 'lead', id, nonEmptyFields(input), { source: provenanceOf(actor), at: now }),
    insertLifecycleEvents(tx, [{ lead_id: id, from: null, to: lifecycle_stage }], now),
    recordAudit(tx, 'lead.created', { id, label: lead.name ?? lead.company ?? lead.email, after: created }),
    emit(tx, leadCreated, lead, { source: lead.source, owner_id: lead.owner_id }),
    lead.owner_id !== null && emitOwnerChange(tx, null, lead, now),
    insertScoreHistory(tx, [lead], 'created'),
    isAdvanced && recordStageChanges(tx, [{ before: created, after: lead }], { cause: 'score', now }),
    sla_due_at && scheduleSlaCheck(tx, id, sla_due_at),
  ])
}
