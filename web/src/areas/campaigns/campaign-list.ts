import { defineSearch, type Filters } from '../../patterns/list/list-search.ts'
import {
  type CampaignStatus,
  type CampaignType,
  campaignStatuses,
  campaignTypes,
  openStatuses,
} from './campaign-status.ts'

export type FilterKey = 'status' | 'type' | 'owner' | 'day' | 'tag' | 'q'
export type CampaignFilters = Filters<FilterKey>
export type CampaignSort = 'priority' | '-priority'

const listOf = (keys: readonly string[]) => `(${keys.join('|')})(,(${keys.join('|')}))*`

/** The status `current` stands for all statuses of campaigns that have not ended. */
export const campaignSearch = defineSearch({
  filters: {
    status: new RegExp(`^(current|any|${listOf(campaignStatuses)})$`),
    type: new RegExp(`^${listOf(campaignTypes)}$`),
    owner: /^(me|any|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/,
    day: /^today$/,
    tag: /^.{1,50}$/,
    q: /\S/,
  },
  views: { current: { status: 'current' }, mine: { owner: 'me' }, all: {} },
  sorts: ['priority', '-priority'] as const,
})

const split = <T extends string>(value: string) => value.split(',') as T[]

/** The filters as the API takes them. */
export const toCampaignQuery = (
  { status, type, owner, day, tag, q }: CampaignFilters,
  sort: CampaignSort,
  today: string,
) => ({
  ...(status && { status: status === 'current' ? [...openStatuses] : split<CampaignStatus>(status) }),
  ...(type && { type: split<CampaignType>(type) }),
  ...(owner && { owner_id: owner }),
  ...(day && { active_on: today }),
  ...(tag && { tag }),
  ...(q && { search: q }),
  sort,
})

export type CampaignQuery = ReturnType<typeof toCampaignQuery>
