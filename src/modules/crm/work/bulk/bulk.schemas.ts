import { type Static, Type } from 'typebox'
import { RuleDocument } from '#platform/rules'
import { AcceptedTask, Id, Line, named, nullable, strict, withExample } from '#platform/schema'
import { disqualifyReasons, settableLeadStages, settableLeadStatuses } from '../../people/lead-records/leads.rules.ts'
import { LeadChanges, leadFilters } from '../../people/lead-records/leads.schemas.ts'

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

const exampleUserIds = ['019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12', '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f13']

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
  owner_id: Type.Optional(
    Type.Union([Id, Type.Null()], { description: 'For `assign`: the new owner, or null to unassign.' }),
  ),
  distribute_to: Type.Optional(
    Type.Array(Id, {
      minItems: 2,
      maxItems: 100,
      uniqueItems: true,
      description: 'For `assign`: users who get the leads in round-robin order.',
      examples: [exampleUserIds],
    }),
  ),
  status: Type.Optional(Type.Enum([...settableLeadStatuses])),
  disqualify_reason: Type.Optional(Type.Enum([...disqualifyReasons])),
  lifecycle_stage: Type.Optional(Type.Enum([...settableLeadStages])),
  stage_reason: Type.Optional(Line(200)),
  force: Type.Optional(Type.Boolean()),
  tags: Type.Optional(
    Type.Array(Line(50), {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'For `add_tags` and `remove_tags`. A lead has at most 50 tags.',
      examples: [['trade fair']],
    }),
  ),
  fields: Type.Optional(BulkLeadFields),
  source: Type.Optional(
    Type.String({
      ...Line(200),
      description: 'For `opt_out`: where the opt-outs come from, `bulk opt-out` by default.',
      examples: ['letter of 3 May'],
    }),
  ),
  campaign_id: Type.Optional({ ...Id, description: 'For `add_to_campaign`.' }),
  member_status: Type.Optional(
    Type.String({
      ...Line(50),
      description: 'For `add_to_campaign`: a status of the campaign, its first one by default.',
      examples: ['sent'],
    }),
  ),
  cadence_id: Type.Optional({ ...Id, description: 'For `enroll_cadence`.' }),
  sender_id: Type.Optional({
    ...Id,
    description:
      'For `enroll_cadence`: the sender, by default the owner of the lead or of the cadence. Another user must allow it in the sender ' +
      'settings, unless the caller is a manager, an admin or lead of a team of the user.',
  }),
})
export type BulkParams = Static<typeof BulkParams>

export const BulkLeadsRequest = withExample(
  strict({
    action: Type.Enum([...actions]),
    lead_ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 10_000 })),
    filter: Type.Optional(RuleDocument),
    query: Type.Optional(
      Type.Object(leadFilters, {
        additionalProperties: false,
        description: 'Filters of the list of leads, such as `{ "status": ["new"] }`. Leads must also match `filter`.',
      }),
    ),
    expected_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Number of leads that `filter` and `query` must match. Required with them.',
      }),
    ),
    params: Type.Optional(BulkParams),
  }),
  { action: 'recompute', lead_ids: ['019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12'] },
)
export type BulkLeadsRequest = Static<typeof BulkLeadsRequest>

const count = Type.Integer({ minimum: 0 })
const counts = { action: Type.Enum([...actions]), total: count, succeeded: count, unchanged: count, failed: count }

const LeadOutcome = strict({
  lead_id: Id,
  outcome: Type.Enum(['ok', 'unchanged', 'failed']),
  code: nullable(Type.String()),
  message: nullable(Type.String()),
})
export type LeadOutcome = Static<typeof LeadOutcome>

const BulkLeadsResult = strict({ ...counts, results: Type.Array(LeadOutcome) })
export const BulkLeadsResponse = named(
  'BulkLeadsResponse',
  Type.Union([BulkLeadsResult, strict({ ...AcceptedTask.properties, total: count })], {
    description: 'The outcome of each lead, or the task if there are more than 200 leads.',
  }),
)
export type BulkLeadsResponse = Static<typeof BulkLeadsResponse>

export const BulkTaskParams = strict({ task_id: { ...Id, description: 'Task of the bulk update.' } })

export const StartedBulkUndo = strict({
  ...AcceptedTask.properties,
  total: { ...count, description: 'Number of leads that the bulk update changed.' },
})
export type StartedBulkUndo = Static<typeof StartedBulkUndo>
