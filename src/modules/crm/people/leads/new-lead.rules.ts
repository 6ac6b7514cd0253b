import { dayInTimezone } from '#platform/calendar'
import { deriveStageTimestamps } from '../../records/person-keys/lifecycle.rules.ts'
import type { CrmSettings } from '../../records/settings/crm-settings.schemas.ts'
import type { RecordConsent } from '../consent/consent.rules.ts'
import { type deriveLeadColumns, nameOf, stageForStatus } from '../lead-records/leads.rules.ts'
import type { NewLead } from '../lead-records/leads.schemas.ts'
import { becomesMql, calculateScore, type ParsedScoringConfig } from '../scoring/score.rules.ts'
import type { VersionedScoringConfig } from '../scoring/scoring.schemas.ts'
import { deriveSlaDueAt } from '../sla/sla.rules.ts'

export type NewLeadContext = {
  now: Date
  createdBy: string | null
  importId: string | null
  config: VersionedScoringConfig
  parsedConfig: ParsedScoringConfig
  general: { currency: string; timezone: string }
  /** Null leaves the lead without an SLA deadline. */
  sla: CrmSettings['sla'] | null
}

export type LeadDraft = {
  index: number
  id: string
  input: NewLead
  derived: Omit<ResolvedColumns, keyof LateColumns>
}

/** Columns that are known only after all locks. */
type LateColumns = RecordConsent & { source: string; owner_id: string | null; assigned_at: Date | null }

/** Derived columns, and those that depend on other records. */
type ResolvedColumns = ReturnType<typeof deriveLeadColumns> &
  LateColumns & {
    annual_revenue_minor: number | null
    annual_revenue_currency: string | null
    annual_revenue_base_minor: number | null
  }

const noStage = { lifecycle_stage: null, mql_at: null, sql_at: null, opportunity_at: null, customer_at: null }

/** Calculates all columns of a new lead, with score, stage and SLA deadline, so that its row is written once. */
function toNewLeadColumns(input: NewLead, resolved: ResolvedColumns, context: NewLeadContext) {
  const { now, config, general, sla } = context
  const columns = toUnscoredColumns(input, resolved, context)
  const scored = { ...columns, ...scoreNewLead(columns, context), score_version: config.version, scored_at: now }
  return {
    ...scored,
    ...(becomesMql({ score: 0 }, scored, config) && { lifecycle_stage: 'mql', mql_at: now }),
    sla_due_at: sla && deriveSlaDueAt(scored, sla, general.timezone),
  }
}

export const toInsertedRow = ({ id, input, derived }: LeadDraft, late: LateColumns, context: NewLeadContext) => ({
  id,
  ...toNewLeadColumns(input, { ...derived, ...late }, context),
})

/** Returns the stage before the score advances it. */
export const initialStageOf = ({ status = 'new', lifecycle_stage = 'lead' }: NewLead): string =>
  stageForStatus(status, lifecycle_stage)

function toUnscoredColumns(
  input: NewLead,
  resolved: ResolvedColumns,
  { now, createdBy, importId, general: { timezone } }: NewLeadContext,
) {
  const { annual_revenue: _, tags = [], utm = null, custom = {}, ...fields } = input
  const lifecycle_stage = initialStageOf(input)
  return {
    ...fields,
    ...resolved,
    status: input.status ?? 'new',
    lifecycle_stage,
    ...deriveStageTimestamps(noStage, lifecycle_stage, now),
    utm,
    tags,
    custom,
    import_id: importId,
    created_by: createdBy,
    created_at: now,
    created_on: dayInTimezone(now, timezone),
    updated_at: now,
  }
}

function scoreNewLead(columns: ReturnType<typeof toUnscoredColumns>, newLead: NewLeadContext) {
  const { parsedConfig, now, general } = newLead
  const lead = { ...columns, name: nameOf(columns) }
  const context = { now, timezone: general.timezone, me: null }
  return calculateScore(parsedConfig, { lead, signals: new Map(), components: [] }, context)
}
