import type { Actor } from '#platform/access'
import { record } from '#platform/audit'
import { dayAt } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { givenFields, mergeCustom } from '../changes/real-changes.rules.ts'
import { leadCreated } from '../crm.events.ts'
import { noteStage } from '../persons/life-cycle.queries.ts'
import { stageTimes } from '../persons/life-cycle.rules.ts'
import { noteProvenance, provenanceOf, sourceOf } from '../persons/provenance.queries.ts'
import { callStatusFor, emailStatusFor } from '../persons/suppressions.service.ts'
import { storeTags } from '../persons/tags.queries.ts'
import { rescoreLead } from '../scoring/scoring.service.ts'
import { readCrmSettings, timezoneOf } from '../settings/crm-settings.queries.ts'
import type { CrmSettings } from '../settings/crm-settings.schemas.ts'
import { assertAddressIsFree } from './addresses.service.ts'
import { announceOwner, assertAssignable, ownerFields, pickOwner } from './assignment.service.ts'
import { assertKnownPlace, assertSomebody, derivedFrom } from './lead-values.ts'
import { changeLeadFields, insertLead, type LeadRow } from './leads.queries.ts'
import type { NewLead } from './leads.schemas.ts'
import { revenueFields } from './revenue.service.ts'
import { checkSlaLater } from './sla.jobs.ts'
import { dueAtFor } from './sla.service.ts'
import { registerSource } from './sources.queries.ts'
import { assertReason } from './status.rules.ts'

export type LeadServices = Pick<Services, 'clock' | 'secrets'>

/** Takes a lead in: scored, given to somebody and with a time to be answered by, or not at all. */
export async function captureLead(
  tx: TenantTx,
  actor: Actor,
  input: NewLead,
  services: LeadServices,
  { startsSla = actor.origin !== 'import' }: { startsSla?: boolean } = {},
): Promise<LeadRow> {
  assertSomebody(input)
  assertKnownPlace(input)
  assertReason(input.status ?? 'new', input.disqualify_reason)
  const now = services.clock.now()
  const settings = await readCrmSettings(tx)
  if (settings.duplicates.lead_email === 'reject' && input.email) await assertAddressIsFree(tx, input.email)
  await assertAssignable(tx, input.owner_id)

  const owner = input.owner_id === undefined ? await pickOwner(tx, settings.assignment, now) : input.owner_id
  const lead = await insertLead(tx, await newRow(tx, actor, input, { owner, now, services }))
  await registerSource(tx, lead.source)
  if (lead.tags.length) await storeTags(tx, 'lead', lead.id, lead.tags)
  await noteProvenance(tx, 'lead', lead.id, givenFields(input), { source: provenanceOf(actor), at: now })
  await noteStage(tx, { lead_id: lead.id, from: null, to: lead.lifecycle_stage, now })
  await record(tx, 'lead.created', { id: lead.id, label: lead.name ?? lead.company ?? lead.email, after: lead })
  await emit(tx, leadCreated, lead, { source: lead.source, owner_id: lead.owner_id })
  if (lead.owner_id !== null) await announceOwner(tx, null, lead, now)

  const scored = await rescoreLead(tx, lead.id, { cause: 'created', now })
  return startsSla ? await startSla(tx, scored, settings) : scored
}

type Circumstances = { owner: string | null; now: Date; services: LeadServices }

async function newRow(tx: TenantTx, actor: Actor, input: NewLead, { owner, now, services }: Circumstances) {
  const { annual_revenue, tags = [], utm, custom = {}, owner_id: _, ...said } = input
  const { status = 'new', lifecycle_stage = 'lead' } = input
  const derived = derivedFrom(said)
  const fresh = { lifecycle_stage: null, mql_at: null, sql_at: null, opportunity_at: null, customer_at: null }
  return {
    id: newId(),
    ...said,
    ...derived,
    ...(await revenueFields(tx, annual_revenue ?? null)),
    ...ownerFields(owner, now),
    ...stageTimes(fresh, lifecycle_stage, now),
    status,
    lifecycle_stage,
    source: said.source ?? sourceOf(actor),
    utm: utm ? JSON.stringify(utm) : null,
    custom: JSON.stringify(mergeCustom({}, custom)),
    tags,
    email_status: await emailStatusFor(tx, services, said.email ?? null),
    call_status: await callStatusFor(tx, services, derived.phone_e164),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
    created_on: dayAt(now, await timezoneOf(tx)),
  }
}

async function startSla(tx: TenantTx, lead: LeadRow, settings: CrmSettings): Promise<LeadRow> {
  const sla_due_at = await dueAtFor(tx, lead, settings)
  await checkSlaLater(tx, lead.id, sla_due_at)
  return await changeLeadFields(tx, lead.id, { sla_due_at })
}
