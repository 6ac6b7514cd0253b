import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { moneyOf } from '#platform/money'
import { emit } from '#platform/outbox'
import { lockAssignmentState } from '../assignment/assignment.queries.ts'
import { emitOwnerChange, toOwnerColumns } from '../assignment/assignment.service.ts'
import { moveConsent } from '../consent/inherit-consent.service.ts'
import { leadUpdated } from '../crm.events.ts'
import { checkCustomChanges } from '../custom-values/check-custom-values.service.ts'
import { storeCustomValues } from '../custom-values/store-custom-values.service.ts'
import { assertIdentifiable, deriveLeadColumns } from '../lead-records/lead-columns.rules.ts'
import { assertEmailIsUnused, mustLeadEmailsBeUnique } from '../lead-records/lead-email.service.ts'
import { assertLeadStageTransition } from '../lead-records/lead-stage.rules.ts'
import { emitStageChange, toLeadStageColumns } from '../lead-records/lead-stage.service.ts'
import {
  assertDisqualifyReason,
  assertLeadStatusTransition,
  assertNotConverted,
} from '../lead-records/lead-status.rules.ts'
import { emitStatusChange, toLeadStatusColumns } from '../lead-records/lead-status.service.ts'
import { type LeadRow, lockLead, lockLeadEmail, updateLeadRow } from '../lead-records/leads.queries.ts'
import type { LeadChanges } from '../lead-records/leads.schemas.ts'
import { registerLeadSources } from '../lead-sources/lead-sources.queries.ts'
import { withStageReason } from '../persons/lifecycle.rules.ts'
import { toAnnualRevenueColumns } from '../records/annual-revenue.service.ts'
import { changedRecordFields, normalizeMoney } from '../records/changed-fields.rules.ts'
import { assertAssignable } from '../records/owners.service.ts'
import { assertValidCountryAndTimezone } from '../records/place.rules.ts'
import { type FieldSource, type Provenance, provenanceOf, recordProvenance } from '../records/provenance.queries.ts'
import { replaceTags } from '../records/tags.queries.ts'
import { getScoringConfig, isScoringField, rescoreLead } from '../scoring/rescore-leads.service.ts'
import type { LeadServices } from './create-leads.service.ts'

export type LeadUpdate = {
  changes: LeadChanges
  expectedVersion?: number
  provenance?: Provenance
  enrichedFrom?: readonly FieldSource[]
}

/** Updates a lead. All effects are written in one row update, so one request is one version. */
export async function updateLead(
  tx: TenantTx,
  actor: Actor,
  leadId: string,
  { changes, expectedVersion, provenance: source = provenanceOf(actor), enrichedFrom }: LeadUpdate,
  services: LeadServices,
): Promise<LeadRow> {
  // Lock order: email address, lead.
  if (changes.email && (await mustLeadEmailsBeUnique(tx))) await lockLeadEmail(tx, changes.email.toLowerCase())
  const lead = await lockLead(tx, leadId)
  assertVersion(lead, expectedVersion)
  const now = services.clock.now()
  const custom = changes.custom && (await checkCustomChanges(tx, 'lead', changes.custom, now))
  const effective = effectiveChanges(lead, { ...changes, ...(custom && { custom }) })
  const fields = fieldNames(effective)
  if (!fields.length) return lead
  assertAllowedChanges(lead, effective)
  await assertAssignable(tx, effective.owner_id)
  if (effective.email && effective.email.toLowerCase() !== lead.email_key && (await mustLeadEmailsBeUnique(tx)))
    await assertEmailIsUnused(tx, effective.email, leadId)
  // Lock order: lead source, assignment state of the owner, consent.
  if (effective.source) await registerLeadSources(tx, [effective.source])
  if (effective.owner_id) await lockAssignmentState(tx, [effective.owner_id])

  const changed = await updateLeadRow(tx, leadId, await toChangedColumns(tx, lead, effective, { now, services }))
  if (effective.custom) await storeCustomValues(tx, 'lead', changed)
  if (effective.tags) await replaceTags(tx, 'lead', leadId, effective.tags)
  await recordProvenance(tx, 'lead', leadId, fields, { source, at: now, enrichedFrom })
  await recordAudit(tx, 'lead.updated', {
    id: leadId,
    label: changed.name,
    before: lead,
    after: withStageReason(changed, effective.stage_reason),
  })
  await emit(tx, leadUpdated, changed, { changed: fields })
  await emitChanges(tx, lead, changed, effective, now)
  const config = await getScoringConfig(tx)
  if (!fields.some((field) => isScoringField(config, field))) return changed
  return await rescoreLead(tx, leadId, { cause: 'changed', now })
}

export const fieldNames = (changes: LeadChanges) => Object.keys(changes).filter((field) => field !== 'stage_reason')

export function effectiveChanges(
  lead: LeadRow,
  { stage_reason, annual_revenue, ...changes }: LeadChanges,
): LeadChanges {
  const before = { ...lead, annual_revenue: moneyOf(lead.annual_revenue_minor, lead.annual_revenue_currency) }
  const revenue =
    annual_revenue === undefined ? {} : { annual_revenue: normalizeMoney(annual_revenue, '/annual_revenue') }
  return {
    ...changedRecordFields(before, { ...changes, ...revenue }),
    ...(stage_reason !== undefined && { stage_reason }),
  }
}

export function assertAllowedChanges(lead: LeadRow, changes: LeadChanges): void {
  const fields = fieldNames(changes)
  // A manual change to `converted` is an invalid transition even on a converted lead.
  if (changes.status === 'converted') assertLeadStatusTransition(lead.status, 'converted')
  assertNotConverted(lead, fields)
  assertIdentifiable({ ...lead, ...changes } as LeadRow)
  assertValidCountryAndTimezone(changes)
  if (changes.status) assertLeadStatusTransition(lead.status, changes.status)
  const status = changes.status ?? lead.status
  const currentReason = changes.status ? null : lead.disqualify_reason
  assertDisqualifyReason(status, changes.disqualify_reason === undefined ? currentReason : changes.disqualify_reason)
  if (changes.lifecycle_stage)
    assertLeadStageTransition(lead.lifecycle_stage, changes.lifecycle_stage, changes.stage_reason)
}

type UpdateContext = { now: Date; services: LeadServices }

async function toChangedColumns(tx: TenantTx, lead: LeadRow, changes: LeadChanges, { now, services }: UpdateContext) {
  const { stage_reason: _, status, lifecycle_stage, owner_id, annual_revenue, utm, custom, ...fields } = changes
  const stageColumns = lifecycle_stage ? toLeadStageColumns(lead, lifecycle_stage, now) : {}
  const derived = deriveLeadColumns({ ...lead, ...fields })
  return {
    ...fields,
    ...derived,
    ...stageColumns,
    ...(status &&
      toLeadStatusColumns({ ...lead, ...stageColumns }, status, {
        reason: fields.disqualify_reason,
        cause: 'user',
        now,
      })),
    ...(owner_id !== undefined && toOwnerColumns(owner_id, now)),
    ...(annual_revenue !== undefined && (await toAnnualRevenueColumns(tx, annual_revenue))),
    ...(utm !== undefined && { utm: utm ? JSON.stringify(utm) : null }),
    ...(custom && { custom: JSON.stringify(custom) }),
    ...(await moveConsent(tx, services, toReaddressed(lead), { email: fields.email, phone_e164: derived.phone_e164 })),
  }
}

const toReaddressed = (lead: LeadRow) => ({ ...lead, ref: { kind: 'lead' as const, id: lead.id } })

async function emitChanges(tx: TenantTx, before: LeadRow, after: LeadRow, changes: LeadChanges, now: Date) {
  if (after.owner_id !== before.owner_id) await emitOwnerChange(tx, before.owner_id, after, now)
  if (after.status !== before.status) await emitStatusChange(tx, before, after, { cause: 'user', now })
  if (after.lifecycle_stage === before.lifecycle_stage) return
  const cause = changes.lifecycle_stage ? 'user' : 'status'
  await emitStageChange(tx, before, after, { reason: changes.stage_reason, cause, now })
}
