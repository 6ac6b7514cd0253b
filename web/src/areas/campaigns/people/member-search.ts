import { defineSearch, type Filters } from '../../../patterns/list/list-search.ts'
import { parsePeriod } from '../../../patterns/list/period.ts'

export type MemberFilters = Filters<'status' | 'responded' | 'added' | 'respondedOn' | 'q'>
export type MemberSort = '-first_touched_at' | 'first_touched_at'

const period = /^(\d{1,3}d|(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?)$/

export const memberSearch = defineSearch({
  filters: {
    status: /^[a-z][a-z0-9_]{0,39}$/,
    responded: /^(yes|no)$/,
    added: period,
    respondedOn: period,
    q: /\S/,
  },
  views: { all: {} },
  sorts: ['-first_touched_at', 'first_touched_at'] as const,
})

/** The filters as the API takes them. */
export function toMemberQuery(filters: MemberFilters, sort: MemberSort, today: string) {
  const { status, responded, q } = filters
  const added = parsePeriod(filters.added, today)
  const respondedOn = parsePeriod(filters.respondedOn, today)
  return {
    ...(status && { status }),
    ...(responded && { responded: responded === 'yes' }),
    ...(added.from && { added_from: added.from }),
    ...(added.to && { added_to: added.to }),
    ...(respondedOn.from && { responded_from: respondedOn.from }),
    ...(respondedOn.to && { responded_to: respondedOn.to }),
    ...(q && { search: q }),
    sort,
  }
}

export type MemberQuery = ReturnType<typeof toMemberQuery>
