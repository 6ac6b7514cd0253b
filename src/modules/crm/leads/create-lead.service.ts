import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { emitOwnerChange, pickOwner, toOwnerColumns } from '../assignment/assignment.service.ts'
import { leadCreated } from '../crm.events.ts'
import { assertIdentifiable, deriveLeadColumns } from '../lead-records/lead-columns.rules.ts'
import { assertEmailIsUnused } from '../lead-records/lead-email.service.ts'
import { stageForStatus } from '../lead-records/lead-stage.rules.ts'
import { assertDisqualifyReason } from '../lead-records/lead-status.rules.ts'
import { insertLead, type LeadRow, updateLeadRow } from '../lead-records/leads.queries.ts'
import type { NewLead } from '../lead-records/leads.schemas.ts'
import { registerLeadSource } from '../lead-sources/lead-sources.queries.ts'
import { insertLifecycleEvents } from '../persons/lifecycle.queries.ts'
import { deriveStageTimestamps } from '../persons/lifecycle.rules.ts'
import { findCallStatus, findEmailStatus } from '../persons/suppressions.service.ts'
import { toAnnualRevenueColumns } from '../records/annual-revenue.service.ts'
import { mergeCustomFields, nonEmptyFields } from '../records/changed-fields.rules.ts'
import { assertAssignable } from '../records/owners.service.ts'
import { assertValidCountryAndTimezone } from '../records/place.rules.ts'
import { defaultSourceOf, provenanceOf, recordProvenance } from '../records/provenance.queries.ts'
import { replaceTags } from '../records/tags.queries.ts'
import { rescoreLead } from '../scoring/rescore-leads.service.ts'
import { lockScoringConfigShared } from '../scoring/scoring-config.queries.ts'
import { readCrmSettings, timezoneOf } from '../settings/crm-settings.queries.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'
import { scheduleSlaCheck } from '../sla/sla.jobs.ts'
import { getSlaDueAt } from '../sla/sla.service.ts'

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
  const settings = await readCrmSettings(tx)
  await lockScoringConfigShared(tx)
  if (settings.duplicates.lead_email === 'reject' && input.email) await assertEmailIsUnused(tx, input.email)
  await assertAssignable(tx, input.owner_id)

  const source = input.source ?? defaultSourceOf(actor)
  await registerLeadSource(tx, source)
  const ownerId = input.owner_id === undefined ? await pickOwner(tx, settings.assignment, now) : input.owner_id
  const lead = await insertLead(tx, await toLeadRow(tx, actor, input, { source, ownerId, now, services }))
  if (lead.tags.length) await replaceTags(tx, 'lead', lead.id, lead.tags)
  await recordProvenance(tx, 'lead', lead.id, nonEmptyFields(input), { source: provenanceOf(actor), at: now })
  await insertLifecycleEvents(tx, [{ lead_id: lead.id, from: null, to: lead.lifecycle_stage }], now)
  await recordAudit(tx, 'lead.created', { id: lead.id, label: lead.name ?? lead.company ?? lead.email, after: lead })
  await emit(tx, leadCreated, lead, { source: lead.source, owner_id: lead.owner_id })
  if (lead.owner_id !== null) await emitOwnerChange(tx, null, lead, now)

  const scored = await rescoreLead(tx, lead.id, { cause: 'created', now })
  return startSla ? await setSlaDeadline(tx, scored, settings) : scored
}

type LeadRowContext = { source: string; ownerId: string | null; now: Date; services: LeadServices }

async function toLeadRow(tx: TenantTx, actor: Actor, input: NewLead, context: LeadRowContext) {
  const { source, ownerId, now, services } = context
  const { annual_revenue, tags = [], utm, custom = {}, owner_id: _, ...fields } = input
  const { status = 'new' } = input
  const lifecycle_stage = stageForStatus(status, input.lifecycle_stage ?? 'lead')
  const derived = deriveLeadColumns(fields)
  const noStage = { lifecycle_stage: null, mql_at: null, sql_at: null, opportunity_at: null, customer_at: null }
  return {
    id: newId(),
    ...fields,
    ...derived,
    ...(await toAnnualRevenueColumns(tx, annual_revenue ?? null)),
    ...toOwnerColumns(ownerId, now),
    ...deriveStageTimestamps(noStage, lifecycle_stage, now),
    status,
    lifecycle_stage,
    source,
    utm: utm ? JSON.stringify(utm) : null,
    custom: JSON.stringify(mergeCustomFields({}, custom)),
    tags,
    email_status: await findEmailStatus(tx, services, fields.email ?? null),
    call_status: await findCallStatus(tx, services, derived.phone_e164),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
    created_on: dayInTimezone(now, await timezoneOf(tx)),
  }
}

async function setSlaDeadline(tx: TenantTx, lead: LeadRow, settings: CrmSettings): Promise<LeadRow> {
  const sla_due_at = await getSlaDueAt(tx, lead, settings)
  await scheduleSlaCheck(tx, lead.id, sla_due_at)
  return await updateLeadRow(tx, lead.id, { sla_due_at })
}
