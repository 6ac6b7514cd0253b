import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { versionMismatch } from '#platform/errors'
import { moneyOf } from '#platform/money'
import { emit } from '#platform/outbox'
import { asShown, realChanges } from '../changes/real-changes.rules.ts'
import { leadUpdated } from '../crm.events.ts'
import { noteProvenance, provenanceOf } from '../persons/provenance.queries.ts'
import { callStatusFor, emailStatusFor } from '../persons/suppressions.service.ts'
import { storeTags } from '../persons/tags.queries.ts'
import { isScoringField, readScoringConfig, rescoreLead } from '../scoring/scoring.service.ts'
import { areAddressesUnique, assertAddressIsFree } from './addresses.service.ts'
import { announceOwner, assertAssignable, ownerFields } from './assignment.service.ts'
import type { LeadServices } from './capture-lead.service.ts'
import { assertKnownPlace, assertSomebody, derivedFrom } from './lead-values.ts'
import { changeLeadFields, holdAddress, type LeadRow, lockLead } from './leads.queries.ts'
import type { LeadChanges } from './leads.schemas.ts'
import { revenueFields } from './revenue.service.ts'
import { registerSource } from './sources.queries.ts'
import { assertStageStep } from './stage.rules.ts'
import { announceStage, stageFields } from './stage.service.ts'
import { assertNotConverted, assertReason, assertStatusStep } from './status.rules.ts'
import { announceStatus, statusFields } from './status.service.ts'

export type LeadChange = { changes: LeadChanges; expectedVersion?: number }

/** One change, one version: whatever it sets in motion is written together and told one by one. */
export async function changeLead(
  tx: TenantTx,
  actor: SignedIn,
  leadId: string,
  { changes, expectedVersion }: LeadChange,
  services: LeadServices,
): Promise<LeadRow> {
  // Addresses are held before leads, here as everywhere, so that nobody waits in a circle.
  if (changes.email && (await areAddressesUnique(tx))) await holdAddress(tx, changes.email.toLowerCase())
  const lead = await lockLead(tx, leadId)
  if (expectedVersion !== undefined && expectedVersion !== lead.version) throw versionMismatch()
  const asked = changesOf(lead, changes)
  const fields = Object.keys(asked).filter((field) => field !== 'stage_reason')
  if (!fields.length) return lead
  const now = services.clock.now()
  assertAllowed(lead, asked)
  await assertAssignable(tx, asked.owner_id)

  const changed = await changeLeadFields(tx, leadId, await columnsOf(tx, lead, asked, { now, services }))
  if (asked.tags) await storeTags(tx, 'lead', leadId, asked.tags)
  if (asked.source) await registerSource(tx, asked.source)
  await noteProvenance(tx, 'lead', leadId, fields, { source: provenanceOf(actor), at: now })
  await record(tx, 'lead.updated', {
    id: leadId,
    label: changed.name,
    before: lead,
    after: changed,
    reason: asked.stage_reason,
  })
  await emit(tx, leadUpdated, changed, { changed: fields })
  await announceSteps(tx, lead, changed, asked, now)
  const config = await readScoringConfig(tx)
  if (!fields.some((field) => isScoringField(config, field))) return changed
  return await rescoreLead(tx, leadId, { cause: 'changed', now })
}

/** A reason alone changes nothing. */
function changesOf(lead: LeadRow, { stage_reason, annual_revenue, ...changes }: LeadChanges): LeadChanges {
  const before = { ...lead, annual_revenue: moneyOf(lead.annual_revenue_minor, lead.annual_revenue_currency) }
  const revenue = annual_revenue === undefined ? {} : { annual_revenue: asShown(annual_revenue, '/annual_revenue') }
  return { ...realChanges(before, { ...changes, ...revenue }), ...(stage_reason !== undefined && { stage_reason }) }
}

function assertAllowed(lead: LeadRow, asked: LeadChanges): void {
  const fields = Object.keys(asked).filter((field) => field !== 'stage_reason')
  // That a converted lead stays converted is told by its own name, a wish to convert by hand is none.
  if (asked.status === 'converted') assertStatusStep(lead.status, 'converted')
  assertNotConverted(lead, fields)
  assertSomebody({ ...lead, ...asked } as LeadRow)
  assertKnownPlace(asked)
  if (asked.status) assertStatusStep(lead.status, asked.status)
  const status = asked.status ?? lead.status
  const keptReason = asked.status ? null : lead.disqualify_reason
  assertReason(status, asked.disqualify_reason === undefined ? keptReason : asked.disqualify_reason)
  if (asked.lifecycle_stage) assertStageStep(lead.lifecycle_stage, asked.lifecycle_stage, asked.stage_reason)
}

type Circumstances = { now: Date; services: LeadServices }

async function columnsOf(tx: TenantTx, lead: LeadRow, asked: LeadChanges, { now, services }: Circumstances) {
  const { stage_reason: _, status, lifecycle_stage, owner_id, annual_revenue, utm, custom, ...said } = asked
  const staged = lifecycle_stage ? stageFields(lead, lifecycle_stage, now) : {}
  const derived = derivedFrom({ ...lead, ...said })
  return {
    ...said,
    ...derived,
    ...staged,
    ...(status && statusFields({ ...lead, ...staged }, status, { reason: said.disqualify_reason, cause: 'user', now })),
    ...(owner_id !== undefined && ownerFields(owner_id, now)),
    ...(annual_revenue !== undefined && (await revenueFields(tx, annual_revenue))),
    ...(utm !== undefined && { utm: utm ? JSON.stringify(utm) : null }),
    ...(custom && { custom: JSON.stringify(custom) }),
    ...(said.email !== undefined && { email_status: await statusOfAddress(tx, lead, said.email, services) }),
    ...(derived.phone_e164 !== lead.phone_e164 && {
      call_status: await callStatusFor(tx, services, derived.phone_e164),
    }),
  }
}

/** Another address is another history: what bounced was the old one. */
async function statusOfAddress(tx: TenantTx, lead: LeadRow, email: string | null, services: LeadServices) {
  if (email?.toLowerCase() === lead.email_key) return lead.email_status
  if (email && (await areAddressesUnique(tx))) await assertAddressIsFree(tx, email, lead.id)
  return await emailStatusFor(tx, services, email)
}

async function announceSteps(tx: TenantTx, before: LeadRow, after: LeadRow, asked: LeadChanges, now: Date) {
  if (after.owner_id !== before.owner_id) await announceOwner(tx, before.owner_id, after, now)
  if (after.status !== before.status) await announceStatus(tx, before, after, { cause: 'user', now })
  if (after.lifecycle_stage === before.lifecycle_stage) return
  const cause = asked.lifecycle_stage ? 'user' : 'status'
  await announceStage(tx, before, after, { reason: asked.stage_reason, cause, now })
}
