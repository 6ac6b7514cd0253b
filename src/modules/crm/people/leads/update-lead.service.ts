import { assertAssignable } from '#modules/identity'
import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { emit } from '#platform/outbox'
import { leadUpdated } from '../../crm.events.ts'
import { checkCustomChanges } from '../../records/custom-values/check-custom-values.service.ts'
import { storeCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { toAnnualRevenueColumns } from '../../records/fields/annual-revenue.service.ts'
import {
  type FieldSource,
  type Provenance,
  provenanceOf,
  recordProvenance,
} from '../../records/fields/provenance.queries.ts'
import { replaceTags } from '../../records/fields/tags.queries.ts'
import { withStageReason } from '../../records/person-keys/lifecycle.rules.ts'
import { lockAssignmentState } from '../assignment/assignment.queries.ts'
import { emitOwnerChange } from '../assignment/assignment.service.ts'
import { moveConsent } from '../consent/inherit-consent.service.ts'
import { assertEmailIsUnused, mustLeadEmailsBeUnique } from '../lead-records/lead-email.service.ts'
import { emitStageChange } from '../lead-records/lead-stage.service.ts'
import { emitStatusChange } from '../lead-records/lead-status.service.ts'
import { type LeadRow, lockLead, lockLeadEmail, updateLeadRow } from '../lead-records/leads.queries.ts'
import type { LeadChanges } from '../lead-records/leads.schemas.ts'
import { registerLeadSources } from '../lead-sources/lead-sources.queries.ts'
import { getScoringConfig, isScoringField, rescoreLead } from '../scoring/rescore-leads.service.ts'
import type { LeadServices } from './create-leads.service.ts'
import { assertAllowedChanges, effectiveChanges, fieldNames, toChangedColumns } from './lead-changes.service.ts'

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

  const { annual_revenue: revenue } = effective
  const columns = toChangedColumns(lead, effective, {
    revenue: revenue === undefined ? undefined : await toAnnualRevenueColumns(tx, revenue),
    now,
  })
  const addresses = { email: effective.email, phone_e164: columns.phone_e164 }
  const consent = await moveConsent(tx, services, toReaddressed(lead), addresses)
  const changed = await updateLeadRow(tx, leadId, { ...columns, ...consent })
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

const toReaddressed = (lead: LeadRow) => ({ ...lead, ref: { kind: 'lead' as const, id: lead.id } })

async function emitChanges(tx: TenantTx, before: LeadRow, after: LeadRow, changes: LeadChanges, now: Date) {
  if (after.owner_id !== before.owner_id) await emitOwnerChange(tx, before.owner_id, after, now)
  if (after.status !== before.status) await emitStatusChange(tx, before, after, { cause: 'user', now })
  if (after.lifecycle_stage === before.lifecycle_stage) return
  const cause = changes.lifecycle_stage ? 'user' : 'status'
  await emitStageChange(tx, before, after, { reason: changes.stage_reason, cause, now })
}
