import { areaKeys } from '../../api/area-keys.ts'
import type { ListSource } from '../../patterns/list/list-definition.ts'
import { type ContactRow, loadContactPage } from './contact-queries.ts'
import { type ContactFilters, type ContactSort, contactSearch } from './contact-search.ts'
import { type ContactQuery, toContactQuery } from './list-query.ts'

/** Reads the rows of the list, also for the contact before and after one on a page of its own. */
export const contactSource = {
  path: '/contacts',
  search: contactSearch,
  standardView: () => 'all',
  toQuery: (filters: ContactFilters, sort: string) => toContactQuery(filters, sort as ContactSort),
  keyOf: areaKeys.contacts.list,
  load: loadContactPage,
} satisfies ListSource<ContactRow, ContactQuery>
