import type { Actor } from '#platform/access'
import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadCreated } from '../../crm.events.ts'
import { indexCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { provenanceOf, recordProvenances } from '../../records/fields/provenance.queries.ts'
import { nonEmptyFields } from '../../records/fields/record.rules.ts'
import { insertTags } from '../../records/fields/tags.queries.ts'
import { insertLifecycleEvents } from '../../records/person-keys/lifecycle.queries.ts'
import { emitOwnerChanges } from '../assignment/assignment.service.ts'
import { recordStageChanges } from '../lead-records/lead-stage.service.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import type { NewLead } from '../lead-records/leads.schemas.ts'
import { insertScoreHistory } from '../scoring/scoring.queries.ts'
import { scheduleSlaChecks } from '../sla/sla.jobs.ts'
import { initialStageOf } from './new-lead.rules.ts'

type CreatedLead = { lead: LeadRow; input: NewLead }

/** A stage that the score has reached is recorded as a change after the creation. */
export async function recordCreatedLeads(tx: TenantTx, actor: Actor, created: readonly CreatedLead[]): Promise<void> {
  const [first] = created
  if (!first) return
  const now = first.lead.created_at
  const leads = created.map(({ lead }) => lead)
  const changes = created.map(({ lead, input }) => ({ before: withStage(lead, initialStageOf(input)), after: lead }))
  const advanced = changes.filter(({ before, after }) => before !== after)
  await Promise.all([
    indexCustomValues(tx, 'lead', leads),
    insertTags(tx, 'lead', leads),
    recordProvenances(
      tx,
      'lead',
      created.map(({ lead, input }) => ({ id: lead.id, fields: nonEmptyFields(input) })),
      { source: provenanceOf(actor), at: now },
    ),
    insertLifecycleEvents(
      tx,
      changes.map(({ before }) => ({ lead_id: before.id, from: null, to: before.lifecycle_stage })),
      now,
    ),
    recordAuditEntries(
      tx,
      'lead.created',
      changes.map(({ before }) => ({ id: before.id, label: labelOf(before), after: before })),
    ),
    emitMany(
      tx,
      leadCreated,
      leads.map((lead) => ({ subject: lead, data: { source: lead.source, owner_id: lead.owner_id } })),
    ),
    recordAssignments(tx, leads, now),
    insertScoreHistory(tx, leads, 'created'),
    advanced.length && recordStageChanges(tx, advanced, { cause: 'score', now }),
    scheduleSlaChecks(tx, leads),
  ])
}

const withStage = (lead: LeadRow, lifecycle_stage: string): LeadRow =>
  lifecycle_stage === lead.lifecycle_stage ? lead : { ...lead, lifecycle_stage, mql_at: null }

const labelOf = ({ name, company, email }: LeadRow) => name ?? company ?? email

async function recordAssignments(tx: TenantTx, leads: readonly LeadRow[], now: Date): Promise<void> {
  const owned = leads.filter(({ owner_id }) => owner_id !== null)
  if (owned.length)
    await emitOwnerChanges(
      tx,
      owned.map((lead) => ({ from: null, lead })),
      now,
    )
}
