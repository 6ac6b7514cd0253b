import { moneyOf, normalizeMoney } from '#platform/money'
import type { AnnualRevenueColumns } from '../../records/fields/annual-revenue.service.ts'
import { assertValidCountryAndTimezone, changedRecordFields } from '../../records/fields/record.rules.ts'
import { toOwnerColumns } from '../assignment/assignment.service.ts'
import { toLeadStageColumns } from '../lead-records/lead-stage.service.ts'
import { toLeadStatusColumns } from '../lead-records/lead-status.service.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import {
  assertDisqualifyReason,
  assertIdentifiable,
  assertLeadStageTransition,
  assertLeadStatusTransition,
  assertNotConverted,
  deriveLeadColumns,
} from '../lead-records/leads.rules.ts'
import type { LeadChanges } from '../lead-records/leads.schemas.ts'

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

type ChangeContext = { revenue: AnnualRevenueColumns | undefined; now: Date }

export function toChangedColumns(lead: LeadRow, changes: LeadChanges, { revenue, now }: ChangeContext) {
  const { stage_reason: _, status, lifecycle_stage, owner_id, annual_revenue, utm, custom, ...fields } = changes
  const stageColumns = lifecycle_stage ? toLeadStageColumns(lead, lifecycle_stage, now) : {}
  return {
    ...fields,
    ...deriveLeadColumns({ ...lead, ...fields }),
    ...stageColumns,
    ...(status &&
      toLeadStatusColumns({ ...lead, ...stageColumns }, status, {
        reason: fields.disqualify_reason,
        cause: 'user',
        now,
      })),
    ...(owner_id !== undefined && toOwnerColumns(owner_id, now)),
    ...(annual_revenue !== undefined && revenue),
    ...(utm !== undefined && { utm: utm ? JSON.stringify(utm) : null }),
    ...(custom && { custom: JSON.stringify(custom) }),
  }
}
