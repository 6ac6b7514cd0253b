import { defineSearch, type Filters, type ListSearch } from '../../patterns/list/list-search.ts'
import { contactStages } from './contact-stages.ts'

export type FilterKey = 'account' | 'stage' | 'owner' | 'tag' | 'q'
export type ContactFilters = Filters<FilterKey>

type ContactView = 'all' | 'mine' | 'customers' | 'unlinked'
export type ContactTab = 'activity' | 'details' | 'cadences' | 'campaigns' | 'consent' | 'duplicates' | 'suggestions'
export type ComposeKind = 'call' | 'email' | 'note' | 'task'
export type ContactSearch = ListSearch<FilterKey, ContactView, ContactSort> & {
  tab?: ContactTab
  compose?: ComposeKind
}

const contactSorts = [
  '-created_at',
  'created_at',
  'name',
  '-name',
  'email',
  '-email',
  'account_name',
  '-account_name',
  'lifecycle_stage',
  '-lifecycle_stage',
] as const
export type ContactSort = (typeof contactSorts)[number]

export const contactSearch = defineSearch({
  filters: {
    account: /^(none|any|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/,
    stage: new RegExp(`^(any|(${contactStages.join('|')})(,(${contactStages.join('|')}))*)$`),
    owner: /^(me|any|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/,
    tag: /^.{1,50}$/,
    q: /\S/,
  },
  views: { all: {}, mine: { owner: 'me' }, customers: { stage: 'customer' }, unlinked: { account: 'none' } },
  sorts: contactSorts,
  passing: {
    tab: ['activity', 'details', 'cadences', 'campaigns', 'consent', 'duplicates', 'suggestions'] as const,
    compose: ['call', 'email', 'note', 'task'] as const,
  },
})
