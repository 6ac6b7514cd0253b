import { isDeepStrictEqual } from 'node:util'
import { reaches, type SignedIn } from '#platform/access'
import { record, recordEach } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, invalid, roleRequired, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import { leadMerged } from '../crm.events.ts'
import { announceOwner } from '../leads/assignment.service.ts'
import { getLead, type LeadRow, lockLeads } from '../leads/leads.queries.ts'
import { showLead } from '../leads/show-leads.service.ts'
import { announceStage } from '../leads/stage.service.ts'
import { noteProvenance } from '../persons/provenance.queries.ts'
import { rescoreLead } from '../scoring/scoring.service.ts'
import { insertMerge, moveChildren } from './merge.queries.ts'
import { assertPreferences, mergedValues } from './merge.rules.ts'
import type { LeadMerge, MergedLead } from './merge.schemas.ts'
import { retireLeads, writeLead } from './write-lead.service.ts'

/** Makes one lead of several for the same person. What happened with the others is its history from now on. */
export async function mergeLeads(
  tx: TenantTx,
  actor: SignedIn,
  leadId: string,
  { duplicate_ids, prefer = {} }: LeadMerge,
  now: Date,
): Promise<MergedLead> {
  if (duplicate_ids.includes(leadId))
    throw invalid('body', '/duplicate_ids', 'self', 'A lead is not a duplicate of itself.')
  const { primary, others } = await lockThem(tx, leadId, duplicate_ids)
  if (![primary, ...others].every((lead) => reaches(actor, 'leads.delete', lead)))
    throw roleRequired('Only managers, and whoever owns all of these leads, may merge them.')
  if (others.some(({ status }) => status === 'converted'))
    throw conflict('lead_converted', 'A converted lead is not merged into another one. Merge the others into it.')
  assertPreferences(prefer, [primary, ...others])

  await retireLeads(tx, others, { into: leadId, by: actor.userId, now })
  const moved = await moveChildren(tx, duplicate_ids, leadId)
  const merged = await writeLead(tx, primary, mergedValues(primary, others, prefer))
  const merge_id = newId()
  const snapshot = { before: primary, after: merged, merged_ids: duplicate_ids }
  await insertMerge(tx, { id: merge_id, primary_id: leadId, snapshot, moved, merged_by: actor.userId, created_at: now })
  await announce(tx, { before: primary, after: merged, others, merge_id }, now)
  const scored = await rescoreLead(tx, leadId, { cause: 'merged', now })
  return { lead: await showLead(tx, scored, now), merge_id, merged_ids: duplicate_ids }
}

async function lockThem(tx: TenantTx, leadId: string, duplicateIds: readonly string[]) {
  await getLead(tx, leadId)
  const leads = await lockLeads(tx, [leadId, ...duplicateIds])
  const primary = leads.find(({ id }) => id === leadId) ?? (await getLead(tx, leadId))
  const others = duplicateIds.map((id, index) => {
    const found = leads.find((lead) => lead.id === id)
    if (!found) throw unknownReference(`/duplicate_ids/${index}`, 'lead')
    return found
  })
  return { primary, others }
}

type Merged = { before: LeadRow; after: LeadRow; others: readonly LeadRow[]; merge_id: string }

async function announce(tx: TenantTx, { before, after, others, merge_id }: Merged, now: Date): Promise<void> {
  const merged_ids = others.map(({ id }) => id)
  const taken = (Object.keys(after) as (keyof LeadRow)[]).filter(
    (field) =>
      !isDeepStrictEqual(after[field], before[field]) &&
      others.some((other) => after[field] !== null && isDeepStrictEqual(other[field], after[field])),
  )
  await noteProvenance(tx, 'lead', after.id, taken, { source: 'merge', at: now })
  await record(tx, 'lead.merged', { id: after.id, label: after.name, before, after })
  await recordEach(
    tx,
    'lead.deleted',
    others.map((other) => ({ id: other.id, label: other.name, before: other })),
  )
  const meta = { merge_id, merged_ids }
  await noteSystemActivity(tx, { lead_id: after.id }, { type: 'merged', meta, at: now })
  await emit(tx, leadMerged, after, meta)
  if (after.owner_id !== before.owner_id) await announceOwner(tx, before.owner_id, after, now)
  if (after.lifecycle_stage !== before.lifecycle_stage) await announceStage(tx, before, after, { cause: 'merge', now })
}
