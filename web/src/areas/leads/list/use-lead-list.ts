import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ListDefinition } from '../../../patterns/list/list-definition.ts'
import { useList } from '../../../patterns/list/use-list.ts'
import type { ViewCounts } from '../../../patterns/list/views/view-tabs.tsx'
import { kpisQuery } from '../../../patterns/shared-queries.ts'
import { can } from '../../../session/me.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { leadSource } from '../lead-list.ts'
import { nameOfLead } from '../lead-names.ts'
import type { LeadRow } from '../lead-queries.ts'
import type { ComposeKind, LeadSearch, LeadTab } from '../lead-search.ts'
import type { toLeadQuery } from '../list-query.ts'
import { leadColumns, standardColumns } from './lead-columns.tsx'
import { leadFilters } from './lead-filters.ts'

const leadList: ListDefinition<LeadRow, ReturnType<typeof toLeadQuery>> = {
  ...leadSource,
  name: 'leads',
  texts: leadTexts,
  filters: leadFilters,
  columns: leadColumns,
  standardColumns,
  nameOf: nameOfLead,
}

/** The list of leads of the URL. A part that is to be written is shown for the lead that was opened with it only. */
export function useLeadList() {
  const list = useList(leadList)
  const search = list.search as LeadSearch
  const { change } = list
  const actions = useMemo(
    () => ({
      open: (id: string, options: { compose?: ComposeKind; tab?: LeadTab } = {}) =>
        list.open(id, { compose: undefined, ...options }),
      setTab: (tab: LeadTab) => change((before) => ({ ...before, tab }), { replace: true }),
      endCompose: () => change(({ compose: _, ...before }) => before, { replace: true }),
    }),
    [change, list.open],
  )
  return { ...list, search, ...actions }
}

export type LeadList = ReturnType<typeof useLeadList>

export function useViewCounts({ me }: Pick<LeadList, 'me'>): ViewCounts {
  const isSeller = can(me, 'leads.write')
  const mine = useQuery({ ...kpisQuery('me'), enabled: isSeller }).data
  const all = useQuery(kpisQuery(undefined)).data
  return { queue: isSeller ? mine?.open : null, unassigned: all?.unassigned }
}
