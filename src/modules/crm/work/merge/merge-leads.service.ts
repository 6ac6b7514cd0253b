import { isDeepStrictEqual } from 'node:util'
import { canAccess, type UserActor } from '#platform/access'
import { recordAudit, recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, roleRequired, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { leadMerged } from '../../crm.events.ts'
import { emitOwnerChange } from '../../people/assignment/assignment.service.ts'
import { mergeSourceOf } from '../../people/consent/consent.rules.ts'
import { inheritConsent } from '../../people/consent/inherit-consent.service.ts'
import { emitStageChange } from '../../people/lead-records/lead-stage.service.ts'
import { getLead, type LeadRow, lockLeads } from '../../people/lead-records/leads.queries.ts'
import { deriveLeadColumns } from '../../people/lead-records/leads.rules.ts'
import { toLeadDetails } from '../../people/leads/lead-details.service.ts'
import { rescoreLead } from '../../people/scoring/rescore-leads.service.ts'
import { recordProvenance } from '../../records/fields/provenance.queries.ts'
import { repointReferences } from '../../records/references/merge-references.queries.ts'
import { insertSystemActivity } from '../../records/system-activities/system-activities.queries.ts'
import { insertLeadMerge } from './merge.queries.ts'
import { assertValidPreferences, mergeLeadValues } from './merge.rules.ts'
import type { MergedLead, MergeLeadsRequest } from './merge.schemas.ts'
import { lockNextOwner, markLeadsAsMerged, updateMergedLead } from './merged-lead.service.ts'

export async function mergeLeads(
  tx: TenantTx,
  actor: UserActor,
  leadId: string,
  { duplicate_ids, prefer = {} }: MergeLeadsRequest,
  services: Pick<Services, 'clock' | 'registry' | 'secrets'>,
): Promise<MergedLead> {
  const now = services.clock.now()
  if (duplicate_ids.includes(leadId))
    throw invalid('body', '/duplicate_ids', 'self', 'A lead cannot be merged into itself.')
  const { primary, others } = await lockForMerge(tx, leadId, duplicate_ids)
  if (![primary, ...others].every((lead) => canAccess(actor, 'leads.delete', lead)))
    throw roleRequired('Only managers and the owner of all these leads may merge them.')
  if (others.some(({ status }) => status === 'converted'))
    throw conflict('lead_converted', 'A converted lead cannot be merged into another lead. Merge the others into it.')
  assertValidPreferences(prefer, [primary, ...others])

  const values = mergeLeadValues(primary, others, prefer)
  await lockNextOwner(tx, primary, values.owner_id)
  const merge_id = newId()
  await markLeadsAsMerged(tx, others, { into: leadId, by: actor.userId, now })
  const repoint = (isAfterConsent: boolean) =>
    repointReferences(tx, services.registry, { to: 'lead', isAfterConsent, fromIds: duplicate_ids, toId: leadId })
  const before = await repoint(false)
  const consent = await inheritConsent(tx, services, toInheritance(primary, others, { values, merge_id }))
  const repointed = { ...before, ...(await repoint(true)) }
  const merged = await updateMergedLead(tx, primary, { ...values, ...consent })
  const snapshot = { before: primary, after: merged, merged_ids: duplicate_ids }
  await insertLeadMerge(tx, {
    id: merge_id,
    primary_id: leadId,
    snapshot,
    moved: repointed,
    merged_by: actor.userId,
    created_at: now,
  })
  await recordMerge(tx, { before: primary, after: merged, others, merge_id }, now)
  const scored = await rescoreLead(tx, leadId, { cause: 'merged', now })
  return { lead: await toLeadDetails(tx, scored, now), merge_id, merged_ids: duplicate_ids }
}

type MergedValues = { values: Partial<LeadRow>; merge_id: string }

function toInheritance(primary: LeadRow, others: readonly LeadRow[], { values, merge_id }: MergedValues) {
  const { email, phone_e164 } = { ...primary, ...values, ...deriveLeadColumns({ ...primary, ...values }) }
  const target = { ref: { kind: 'lead' as const, id: primary.id }, email_key: email?.toLowerCase() ?? null, phone_e164 }
  return { target, records: [primary, ...others], source: mergeSourceOf(merge_id) }
}

async function lockForMerge(tx: TenantTx, leadId: string, duplicateIds: readonly string[]) {
  await getLead(tx, leadId)
  const leads = await lockLeads(tx, [leadId, ...duplicateIds])
  const primary = leads.find(({ id }) => id === leadId) ?? (await getLead(tx, leadId))
  const others = duplicateIds.map((id, index) => {
    const duplicate = leads.find((lead) => lead.id === id)
    if (!duplicate) throw unknownReference(`/duplicate_ids/${index}`, 'lead')
    return duplicate
  })
  return { primary, others }
}

type MergeResult = { before: LeadRow; after: LeadRow; others: readonly LeadRow[]; merge_id: string }

async function recordMerge(tx: TenantTx, { before, after, others, merge_id }: MergeResult, now: Date): Promise<void> {
  const merged_ids = others.map(({ id }) => id)
  const takenFields = (Object.keys(after) as (keyof LeadRow)[]).filter(
    (field) =>
      !isDeepStrictEqual(after[field], before[field]) &&
      others.some((other) => after[field] !== null && isDeepStrictEqual(other[field], after[field])),
  )
  await recordProvenance(tx, 'lead', after.id, takenFields, { source: 'merge', at: now })
  await recordAudit(tx, 'lead.merged', { id: after.id, label: after.name, before, after })
  await recordAuditEntries(
    tx,
    'lead.deleted',
    others.map((other) => ({ id: other.id, label: other.name, before: other })),
  )
  const meta = { merge_id, merged_ids }
  await insertSystemActivity(tx, { lead_id: after.id }, { type: 'merged', meta, at: now })
  await emit(tx, leadMerged, after, meta)
  if (after.owner_id !== before.owner_id) await emitOwnerChange(tx, before.owner_id, after, now)
  if (after.lifecycle_stage !== before.lifecycle_stage)
    await emitStageChange(tx, before, after, { cause: 'merge', now })
}
