import type { Filters } from '../../patterns/list/list-search.ts'
import type { AccountType } from './account-types.ts'

export type FilterKey = 'type' | 'owner' | 'industry' | 'parent' | 'tag' | 'q'
export type AccountFilters = Filters<FilterKey>

export const sorts = [
  'name',
  '-name',
  'last_activity_at',
  '-last_activity_at',
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
] as const
export type AccountSort = (typeof sorts)[number]

/** The filters as lists and exports of the API take them. */
export const toListFilters = ({ type, owner, industry, parent, tag, q }: AccountFilters) => ({
  ...(type && { type: type.split(',') as AccountType[] }),
  ...(owner && { owner_id: owner }),
  ...(industry && { industry }),
  ...(parent && { parent_account_id: parent }),
  ...(tag && { tag }),
  ...(q && { search: q }),
})

export type AccountQuery = ReturnType<typeof toListFilters> & { sort: AccountSort }
