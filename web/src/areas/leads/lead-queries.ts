import { api, read, type Schemas } from '../../api/client.ts'
import { pageSize } from '../../api/pages.ts'
import type { LeadSearch } from './lead-search.ts'

export type LeadRow = Schemas['LeadSummary']

const splitList = <T extends string>(value: string | undefined) => value?.split(',') as T[] | undefined

/** The query of the API for the state of the list. */
export const toLeadQuery = ({ owner, status, grade, source, q, sort }: LeadSearch) => ({
  owner_id: owner === 'none' ? undefined : owner,
  unassigned: owner === 'none' ? true : undefined,
  status: splitList<LeadRow['status']>(status),
  grade: splitList<'A' | 'B' | 'C'>(grade),
  source: splitList(source),
  search: q,
  sort: (sort ?? 'priority') as 'priority',
})

export const leadListKey = (search: LeadSearch) => ['leads', 'list', toLeadQuery(search)] as const

export const loadLeadPage = (search: LeadSearch) => (cursor: string | undefined, signal: AbortSignal) =>
  read(
    api.GET('/api/leads/', {
      params: { query: { ...toLeadQuery(search), limit: pageSize, cursor, count: cursor ? 'none' : 'capped' } },
      signal,
    }),
  )
