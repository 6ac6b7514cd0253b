import { areaKeys } from '../../api/area-keys.ts'
import type { ListSource } from '../../patterns/list/list-definition.ts'
import { defineSearch } from '../../patterns/list/list-search.ts'
import { type ListedAccount, loadAccountPage } from './account-queries.ts'
import { accountTypes } from './account-types.ts'
import { type AccountFilters, type AccountQuery, type AccountSort, sorts, toListFilters } from './list-query.ts'

const types = `(${accountTypes.join('|')})`

const accountSearch = defineSearch({
  filters: {
    type: new RegExp(`^(any|${types}(,${types})*)$`),
    owner: /^(me|any|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/,
    industry: /^.{1,100}$/,
    parent: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
    tag: /^.{1,50}$/,
    q: /\S/,
  },
  views: { all: {}, mine: { owner: 'me' }, customers: { type: 'customer' }, prospects: { type: 'prospect' } },
  sorts,
})

/** Reads the rows of the list, also for the account before and after one on a page of its own. */
export const accountSource = {
  path: '/accounts',
  search: accountSearch,
  standardView: () => 'all',
  toQuery: (filters: AccountFilters, sort: string): AccountQuery => ({
    ...toListFilters(filters),
    sort: sort as AccountSort,
  }),
  keyOf: areaKeys.accounts.list,
  load: loadAccountPage,
} satisfies ListSource<ListedAccount, AccountQuery>
