import type { Schemas } from '../../api/client.ts'
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
  const query: ListFilters = {
    ...(owner === 'none' ? { unassigned: true } : owner && { owner_id: owner }),
    ...(status && { status: status === 'open' ? [...openStatuses] : splitList(status) }),
    ...(grade && { grade: splitList(grade) }),
    ...(source && { source: splitList(source) }),
    ...(tag && { tag }),
    ...(q && { search: q }),
    ...parseScore(filters.score),
    ...parseCreated(filters.created, today),
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

export function parseCreated(
  created: string | undefined,
  today: string,
): { created_from?: string; created_to?: string } {
  if (!created) return {}
  if (created.endsWith('d')) return { created_from: daysBefore(today, Number.parseInt(created, 10) - 1) }
  const [from, to] = created.split('..')
  return { ...(from && { created_from: from }), ...(to && { created_to: to }) }
}

function daysBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - days)
  return date.toISOString().slice(0, 10)
}
