import type { Schemas } from '../../api/client.ts'
import { parsePeriod } from '../../patterns/list/period.ts'
import type { LeadFilters, LeadSort } from './lead-search.ts'
import { openStatuses } from './lead-status.ts'

type Rule = { field: string; op: string; value?: unknown }
type BulkRequest = Schemas['BulkUpdateLeadsRequest']
type ListFilters = NonNullable<BulkRequest['query']>

const isUnanswered: Rule = { field: 'first_responded_at', op: 'is_not_set' }
const ruleOfResponse: Readonly<Record<string, readonly Rule[]>> = {
  late: [
    { field: 'sla_breached_at', op: 'is_set' },
    isUnanswered,
    { field: 'status', op: 'not_in', value: ['unqualified', 'converted'] },
  ],
  awaiting: [{ field: 'status', op: 'eq', value: 'new' }, isUnanswered],
}

/** The filters as the API takes them. `today` is the day in the time zone of the workspace. */
export function toListFilters(filters: LeadFilters, today: string): { query: ListFilters; filter?: { all: Rule[] } } {
  const { owner, status, grade, source, tag, q, response } = filters
  const rules = response && ruleOfResponse[response]
  const { from, to } = parsePeriod(filters.created, today)
  const query: ListFilters = {
    ...(owner === 'none' ? { unassigned: true } : owner && { owner_id: owner }),
    ...(status && { status: status === 'open' ? [...openStatuses] : splitList(status) }),
    ...(grade && { grade: splitList(grade) }),
    ...(source && { source: splitList(source) }),
    ...(tag && { tag }),
    ...(q && { search: q }),
    ...parseScore(filters.score),
    ...(from && { created_from: from }),
    ...(to && { created_to: to }),
  }
  return { query, ...(rules && { filter: { all: [...rules] } }) }
}

/** The query of `GET /api/leads/`. */
export function toLeadQuery(filters: LeadFilters, sort: LeadSort, today: string) {
  const { query, filter } = toListFilters(filters, today)
  return { ...query, ...(filter && { filter: JSON.stringify(filter) }), sort }
}

const splitList = <T extends string>(value: string) => value.split(',') as T[]

export function parseScore(score: string | undefined): { score_min?: number; score_max?: number } {
  if (!score) return {}
  const [min, max] = score.split('-')
  return {
    ...(min && { score_min: Math.min(100, Number(min)) }),
    ...(max && { score_max: Math.min(100, Number(max)) }),
  }
}
