import { invalid } from '#platform/errors'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import { stageRank } from '../../records/person-keys/lifecycle.rules.ts'

const mergedFields = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'title',
  'company',
  'website',
  'linkedin_url',
  'industry',
  'employee_count',
  'annual_revenue',
  'country',
  'region',
  'city',
  'timezone',
  'source',
  'source_detail',
  'utm',
  'owner_id',
  'notes',
] as const
type MergedField = (typeof mergedFields)[number]

const columnsOf: Partial<Record<MergedField, readonly (keyof LeadRow)[]>> = {
  annual_revenue: ['annual_revenue_minor', 'annual_revenue_currency', 'annual_revenue_base_minor'],
  owner_id: ['owner_id', 'assigned_at'],
}
const columnsFor = (field: MergedField): readonly (keyof LeadRow)[] => columnsOf[field] ?? [field as keyof LeadRow]

const maxTags = 50

export type FieldPreferences = Readonly<Record<string, string>>

export function assertValidPreferences(prefer: FieldPreferences, leads: readonly LeadRow[]): void {
  const ids = new Set(leads.map(({ id }) => id))
  for (const [field, id] of Object.entries(prefer)) {
    if (!mergedFields.includes(field as MergedField))
      throw invalid('body', `/prefer/${field}`, 'unknown', `The field must be one of: ${mergedFields.join(', ')}.`)
    if (!ids.has(id))
      throw invalid('body', `/prefer/${field}`, 'unknown', 'The value must be the id of one of the merged leads.')
  }
}

type TimestampField = 'mql_at' | 'sql_at' | 'opportunity_at' | 'customer_at' | 'last_activity_at' | 'last_engaged_at'

/** Per field the preferred lead, else the own value, else the newest. Earlier instants count as the creation, where durations start. */
export function mergeLeadValues(
  primary: LeadRow,
  others: readonly LeadRow[],
  prefer: FieldPreferences,
): Partial<LeadRow> {
  const newestFirst = [...others].sort((one, other) => other.updated_at.getTime() - one.updated_at.getTime())
  const all = [primary, ...newestFirst]
  const sourceLead = (field: MergedField): LeadRow =>
    all.find(({ id }) => id === prefer[field]) ?? all.find((lead) => lead[columnsFor(field)[0]!] !== null) ?? primary
  const entries = mergedFields.flatMap((field) =>
    columnsFor(field).map((column) => [column, sourceLead(field)[column]]),
  )
  const sinceCreation = (at: Date | null) => (at && at < primary.created_at ? primary.created_at : at)
  const first = (column: TimestampField) => sinceCreation(pick(all, column, (at, best) => at < best))
  const response = firstResponse(all)
  const last = (column: TimestampField) => pick(all, column, (at, best) => at > best)
  return {
    ...Object.fromEntries(entries),
    ...response,
    first_responded_at: sinceCreation(response.first_responded_at),
    assigned_at: sinceCreation(sourceLead('owner_id').assigned_at),
    lifecycle_stage: latestStage(all),
    mql_at: first('mql_at'),
    sql_at: first('sql_at'),
    opportunity_at: first('opportunity_at'),
    customer_at: first('customer_at'),
    last_activity_at: last('last_activity_at'),
    last_engaged_at: last('last_engaged_at'),
    tags: [...new Set(all.flatMap(({ tags }) => tags))].slice(0, maxTags),
    custom: Object.assign({}, ...all.toReversed().map(({ custom }) => custom)),
  }
}

function pick(
  all: readonly LeadRow[],
  column: TimestampField,
  isBetter: (at: Date, best: Date) => boolean,
): Date | null {
  return all.reduce<Date | null>((best, { [column]: at }) => (at && (!best || isBetter(at, best)) ? at : best), null)
}

function firstResponse(all: readonly LeadRow[]): Pick<LeadRow, 'first_responded_at' | 'first_responder_id'> {
  const responded = all.filter(({ first_responded_at }) => first_responded_at !== null)
  const [earliest] = responded.sort(
    (one, other) => one.first_responded_at!.getTime() - other.first_responded_at!.getTime(),
  )
  const { first_responded_at = null, first_responder_id = null } = earliest ?? {}
  return { first_responded_at, first_responder_id }
}

/** On a tie, keeps the stage of the surviving lead. */
const latestStage = (all: readonly LeadRow[]): string =>
  all
    .map(({ lifecycle_stage }) => lifecycle_stage)
    .reduce((latest, stage) => (stageRank(stage) > stageRank(latest) ? stage : latest))
