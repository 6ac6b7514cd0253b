import type { Schemas } from '../../api/client.ts'
import type { ContactFilters, ContactSort } from './contact-search.ts'
import type { ContactStage } from './contact-stages.ts'

type ListFilters = NonNullable<Schemas['BulkUpdateContactsRequest']['query']>
type SortKey = 'name' | 'email' | 'lifecycle_stage' | 'created_at' | 'account_name'

/** The filters as the API takes them. */
export const toListFilters = ({ account, stage, owner, tag, q }: ContactFilters): ListFilters => ({
  ...(account && { account_id: account }),
  ...(stage && { lifecycle_stage: stage.split(',') as ContactStage[] }),
  ...(owner && { owner_id: owner }),
  ...(tag && { tag }),
  ...(q && { search: q }),
})

/** The query of `GET /api/contacts/`. */
export const toContactQuery = (filters: ContactFilters, sort: ContactSort) => ({
  ...toListFilters(filters),
  sort_by: sort.replace('-', '') as SortKey,
  sort_dir: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
})

export type ContactQuery = ReturnType<typeof toContactQuery>
