import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import type { ChangedLead } from '../../people/lead-records/lead-stage.service.ts'
import { type LeadColumns, type LeadRow, lockLeads } from '../../people/lead-records/leads.queries.ts'
import { updateLeads } from '../../people/lead-records/update-leads.service.ts'
import { getScoringConfig, isScoringField, rescoreLeads } from '../../people/scoring/rescore-leads.service.ts'
import { withStageReason } from '../../records/person-keys/lifecycle.rules.ts'
import { catchAppError } from '../bulk/apply-to-records.service.ts'
import type { RecordResult } from '../bulk/bulk-action.ts'

type UpdateManyOptions = {
  /** Returns the columns to set, or undefined if nothing changes. Throws to reject the lead. */
  columnsFor(lead: LeadRow): LeadColumns | undefined
  onUpdated(changes: readonly ChangedLead[]): Promise<void>
  fieldsOf?(change: ChangedLead): string[]
}

/** Updates leads that the transaction has locked, with one statement per distinct set of values. */
export async function updateManyLeads(
  tx: TenantTx,
  ids: readonly string[],
  { columnsFor, onUpdated, fieldsOf = changedCandidates }: UpdateManyOptions,
  now: Date,
): Promise<RecordResult[]> {
  const rows = new Map((await lockLeads(tx, ids)).map((lead) => [lead.id, lead]))
  const leads = ids.map((id) => rows.get(id)!)
  const planned = await Promise.all(leads.map((lead) => catchAppError(() => columnsFor(lead))))
  const updates = ids.flatMap((id, index) => {
    const columns = planned[index]
    return columns && !(columns instanceof AppError) ? [{ id, columns }] : []
  })
  const after = await updateLeads(tx, updates)
  const changes = leads.flatMap((before) => {
    const lead = after.get(before.id)
    return lead ? [{ before, after: lead }] : []
  })
  await onUpdated(changes)
  await rescoreChanged(tx, changes, fieldsOf, now)
  return planned.map((columns) => (columns instanceof AppError ? columns : columns !== undefined))
}

type AuditAction = 'lead.assigned' | 'lead.status_changed' | 'lead.stage_changed'

export async function recordAuditOfMany(
  tx: TenantTx,
  action: AuditAction,
  changes: readonly ChangedLead[],
  reason?: string | null,
) {
  const toEntry = ({ before, after }: ChangedLead) => ({
    id: before.id,
    label: before.name,
    before,
    after: withStageReason(after, reason),
  })
  await recordAuditEntries(tx, action, changes.map(toEntry))
}

const scoringCandidates = ['owner_id', 'status', 'lifecycle_stage', 'disqualify_reason'] as const

const changedCandidates = ({ before, after }: ChangedLead): string[] =>
  scoringCandidates.filter((field) => after[field] !== before[field])

async function rescoreChanged(
  tx: TenantTx,
  changes: readonly ChangedLead[],
  fieldsOf: (change: ChangedLead) => string[],
  now: Date,
): Promise<void> {
  if (!changes.length) return
  const config = await getScoringConfig(tx)
  const ids = changes
    .filter((change) => fieldsOf(change).some((field) => isScoringField(config, field)))
    .map(({ after }) => after.id)
  if (!ids.length) return
  await rescoreLeads(tx, await lockLeads(tx, ids), { cause: 'changed', now })
}
