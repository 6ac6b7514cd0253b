import type { Actor } from '#platform/access'
import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emitMany } from '#platform/outbox'
import { leadUpdated } from '../../crm.events.ts'
import { lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import { claimUniqueValues, indexCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { provenanceOf, recordProvenances } from '../../records/fields/provenance.queries.ts'
import { replaceTagsOfMany } from '../../records/fields/tags.queries.ts'
import { withStageReason } from '../../records/person-keys/lifecycle.rules.ts'
import { emitOwnerChanges } from '../assignment/assignment.service.ts'
import { emitStageChanges } from '../lead-records/lead-stage.service.ts'
import { emitStatusChanges } from '../lead-records/lead-status.service.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import { getScoringConfig, isScoringField, rescoreLeads } from '../scoring/rescore-leads.service.ts'

export type RecordedLeadChange = { before: LeadRow; after: LeadRow; fields: string[]; reason: string | undefined }

/** Records what an update of a single lead records, and rescores the leads. */
export async function recordLeadChanges(
  tx: TenantTx,
  actor: Actor,
  changes: readonly RecordedLeadChange[],
  now: Date,
): Promise<void> {
  if (!changes.length) return
  const changedIn = (field: string) => changes.filter(({ fields }) => fields.includes(field))
  await storeCustom(
    tx,
    changedIn('custom').map(({ after }) => after),
  )
  await replaceTagsOfMany(
    tx,
    'lead',
    changedIn('tags').map(({ after: { id, tags } }) => ({ id, tags })),
  )
  await recordProvenances(
    tx,
    'lead',
    changes.map(({ after, fields }) => ({ id: after.id, fields })),
    { source: provenanceOf(actor), at: now },
  )
  await recordAuditEntries(
    tx,
    'lead.updated',
    changes.map(({ before, after, reason }) => ({
      id: after.id,
      label: after.name,
      before,
      after: withStageReason(after, reason),
    })),
  )
  await emitMany(
    tx,
    leadUpdated,
    changes.map(({ after, fields }) => ({ subject: after, data: { changed: fields } })),
  )
  const owned = changes.filter(({ before, after }) => after.owner_id !== before.owner_id)
  if (owned.length)
    await emitOwnerChanges(
      tx,
      owned.map(({ before, after }) => ({ from: before.owner_id, lead: after })),
      now,
    )
  await emitStatusAndStage(tx, changes, now)
  await rescoreChanged(tx, changes, now)
}

async function storeCustom(tx: TenantTx, leads: readonly LeadRow[]): Promise<void> {
  if (!leads.length) return
  await indexCustomValues(tx, 'lead', leads)
  const fields = await lockCustomFieldsShared(tx, 'lead')
  if (!fields.some(({ is_unique }) => is_unique)) return
  for (const lead of leads) await claimUniqueValues(tx, 'lead', lead)
}

async function emitStatusAndStage(tx: TenantTx, changes: readonly RecordedLeadChange[], now: Date): Promise<void> {
  const withStatus = changes.filter(({ before, after }) => after.status !== before.status)
  if (withStatus.length) await emitStatusChanges(tx, withStatus, { cause: 'user', now })
  const withStage = changes.filter(({ before, after }) => after.lifecycle_stage !== before.lifecycle_stage)
  const causeOf = ({ fields }: RecordedLeadChange) => (fields.includes('lifecycle_stage') ? 'user' : 'status')
  for (const [cause, group] of Map.groupBy(withStage, causeOf))
    for (const [reason, same] of Map.groupBy(group, (change) => change.reason))
      await emitStageChanges(tx, same, { reason, cause, now })
}

async function rescoreChanged(tx: TenantTx, changes: readonly RecordedLeadChange[], now: Date): Promise<void> {
  const config = await getScoringConfig(tx)
  const scored = changes.filter(({ fields }) => fields.some((field) => isScoringField(config, field)))
  await rescoreLeads(
    tx,
    scored.map(({ after }) => after),
    { cause: 'changed', now },
  )
}
