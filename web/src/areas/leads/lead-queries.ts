import { queryOptions } from '@tanstack/react-query'
import { api, ifMatch, read, type Schemas } from '../../api/client.ts'
import type { Page, PageRequest } from '../../api/pages.ts'
import { queryClient } from '../../api/queries.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { toLeadQuery } from './list-query.ts'

export type LeadRow = Schemas['LeadSummary']
export type Lead = Schemas['Lead']
export type Conversion = Schemas['Conversion']
export type LeadChanges = Schemas['UpdateLeadRequest']
export type LeadSource = Awaited<ReturnType<typeof loadSources>>[number]
type LeadQuery = ReturnType<typeof toLeadQuery>

export const loadLeadPage = (query: LeadQuery) => (request: PageRequest, signal: AbortSignal) =>
  read(api.GET('/api/leads/', { params: { query: { ...query, fields: 'summary', ...request } }, signal })) as Promise<
    Page<LeadRow>
  >

export const leadQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.leads.detail(id),
    queryFn: async ({ signal }) => storeRow(await loadLead(id, signal)),
  })

export const loadLead = (id: string, signal?: AbortSignal): Promise<Lead> =>
  read(api.GET('/api/leads/{lead_id}', { params: { path: { lead_id: id } }, signal }))

export const updateLead = ({ id, version }: { id: string; version: number }, body: LeadChanges): Promise<Lead> =>
  read(api.PATCH('/api/leads/{lead_id}', { params: { path: { lead_id: id } }, headers: ifMatch(version), body }))

/** Stores a lead that the API returned in all lists and as the open record. */
export function storeLead(lead: Lead): void {
  queryClient.setQueryData(queryKeys.leads.detail(lead.id), lead)
  storeRow(lead)
}

/** Changes the row in place. It keeps its position until the list is read again, so that rows do not jump. */
function storeRow(lead: Lead): Lead {
  queryClient.setQueriesData<Page<LeadRow>>({ queryKey: queryKeys.leads.lists }, (page) => {
    if (!page?.items.some(({ id, version }) => id === lead.id && version <= lead.version)) return page
    return { ...page, items: page.items.map((row) => (row.id === lead.id ? lead : row)) }
  })
  return lead
}

export const refreshLeads = (): Promise<void> => queryClient.invalidateQueries({ queryKey: queryKeys.leads.all })

const sessionMs = Number.POSITIVE_INFINITY

const loadSources = async (signal: AbortSignal) => (await read(api.GET('/api/leads/sources', { signal }))).items

export const sourcesQuery = queryOptions({
  queryKey: queryKeys.leadSources,
  queryFn: ({ signal }) => loadSources(signal),
  staleTime: sessionMs,
})
