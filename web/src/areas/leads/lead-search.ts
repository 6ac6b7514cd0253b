import { leadStatuses } from './lead-status.ts'

/** The state of the lead list. It is in the URL, so that reload, Back and a copied link show the same list. */
export type LeadSearch = {
  owner?: 'me' | 'none' | string
  status?: string
  grade?: string
  source?: string
  q?: string
  sort?: string
  open?: string
}

export const leadSorts = ['priority', '-score', '-created_at', '-last_activity_at', 'name'] as const

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined

export function parseLeadSearch(search: Record<string, unknown>): LeadSearch {
  const statuses = text(search.status)
    ?.split(',')
    .filter((status) => leadStatuses.some((one) => one === status))
  return {
    owner: text(search.owner),
    status: statuses?.length ? statuses.join(',') : undefined,
    grade: text(search.grade),
    source: text(search.source),
    q: text(search.q),
    sort: leadSorts.find((sort) => sort === search.sort),
    open: text(search.open),
  }
}
