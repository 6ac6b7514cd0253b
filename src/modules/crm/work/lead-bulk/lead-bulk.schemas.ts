import { type Static, Type } from 'typebox'
import { RuleDocument } from '#platform/rules'
import { Id, Line, named, strict, withExample } from '#platform/schema'
import { disqualifyReasons, settableLeadStages, settableLeadStatuses } from '../../people/lead-records/leads.rules.ts'
import { LeadChanges, leadFilters } from '../../people/lead-records/leads.schemas.ts'
import {
  expectedCount,
  outcomeCounts,
  outcomeFields,
  RecordIds,
  StartedBulkTask,
  sharedParams,
} from '../bulk/bulk.schemas.ts'

/** The last three are registered by another module. */
const actions = [
  'assign',
  'set_status',
  'set_stage',
  'update_fields',
  'add_tags',
  'remove_tags',
  'opt_out',
  'recompute',
  'delete',
  'restore',
  'enrich',
  'add_to_campaign',
  'enroll_cadence',
] as const

/** Names, email address and phone number belong to one person; owner, status, stage and tags have their own actions. */
export const bulkLeadFields = [
  'title',
  'company',
  'website',
  'industry',
  'employee_count',
  'annual_revenue',
  'country',
  'region',
  'city',
  'timezone',
  'source',
  'source_detail',
  'notes',
  'custom',
] as const

const BulkLeadFields = named(
  'BulkLeadFields',
  Type.Pick(LeadChanges, [...bulkLeadFields], { additionalProperties: false, minProperties: 1 }),
)
export type BulkLeadFields = Static<typeof BulkLeadFields>

const BulkParams = strict({
  ...sharedParams('lead'),
  status: Type.Optional(Type.Enum([...settableLeadStatuses])),
  disqualify_reason: Type.Optional(Type.Enum([...disqualifyReasons])),
  lifecycle_stage: Type.Optional(Type.Enum([...settableLeadStages])),
  stage_reason: Type.Optional(Line(200)),
  force: Type.Optional(Type.Boolean()),
  fields: Type.Optional(BulkLeadFields),
})
export type BulkParams = Static<typeof BulkParams>

export const BulkLeadsRequest = withExample(
  strict({
    action: Type.Enum([...actions]),
    lead_ids: Type.Optional(RecordIds),
    filter: Type.Optional(RuleDocument),
    query: Type.Optional(
      Type.Object(leadFilters, {
        additionalProperties: false,
        description: 'Filters of the list of leads, such as `{ "status": ["new"] }`. Leads must also match `filter`.',
      }),
    ),
    expected_count: expectedCount('Number of leads that `filter` and `query` must match. Required with them.'),
    params: Type.Optional(BulkParams),
  }),
  { action: 'recompute', lead_ids: ['019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'] },
)
export type BulkLeadsRequest = Static<typeof BulkLeadsRequest>

const LeadOutcome = strict({ lead_id: Id, ...outcomeFields })

const BulkLeadsResult = strict({
  action: Type.Enum([...actions]),
  ...outcomeCounts,
  results: Type.Array(LeadOutcome),
})
export const BulkLeadsResponse = named(
  'BulkLeadsResponse',
  Type.Union([BulkLeadsResult, StartedBulkTask], {
    description: 'The outcome of each lead, or the task if there are more than 200 leads.',
  }),
)
export type BulkLeadsResponse = Static<typeof BulkLeadsResponse>
