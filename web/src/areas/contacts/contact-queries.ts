import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { readArrayPage } from '../../api/array-page.ts'
import { api, ifMatch, read, type Schemas } from '../../api/client.ts'
import type { Page, PageRequest } from '../../api/pages.ts'
import { queryClient } from '../../api/queries.ts'
import type { ContactQuery } from './list-query.ts'

export type ContactRow = Schemas['ListedContact']
export type Contact = Schemas['Contact']
export type ContactChanges = Schemas['UpdateContactRequest']
export type ContactDeal = Schemas['ListContactOpportunitiesResult']['items'][number]

export const loadContactPage = (query: ContactQuery) => (request: PageRequest, signal: AbortSignal) =>
  readArrayPage<ContactRow>(
    api.GET('/api/contacts/', { params: { query: { ...query, fields: 'summary', ...request } }, signal }),
  )

export const loadContact = (id: string): Promise<Contact> =>
  read(api.GET('/api/contacts/{contact_id}', { params: { path: { contact_id: id } } }))

export const updateContact = (
  { id, version }: { id: string; version: number },
  body: ContactChanges,
): Promise<Contact> =>
  read(
    api.PATCH('/api/contacts/{contact_id}', { params: { path: { contact_id: id } }, headers: ifMatch(version), body }),
  )

/** Stores a contact that the API returned in all lists, where it keeps its position, and as the open record. */
export function storeContact(contact: Contact): void {
  queryClient.setQueryData(areaKeys.contacts.detail(contact.id), contact)
  queryClient.setQueriesData<Page<ContactRow>>({ queryKey: areaKeys.contacts.lists }, (page) => {
    if (!page?.items.some(({ id, version }) => id === contact.id && version <= contact.version)) return page
    return { ...page, items: page.items.map((row) => (row.id === contact.id ? contact : row)) }
  })
}

export const refreshContacts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: areaKeys.contacts.all })

const mostDeals = 50

/** The deals of a contact, those that close last first. */
export const contactDealsQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.contacts.deals(id),
    queryFn: async ({ signal }) => {
      const query = { fields: 'summary' as const, sort: '-close_on' as const, limit: mostDeals, count: 'none' as const }
      const params = { path: { contact_id: id }, query }
      return (await read(api.GET('/api/contacts/{contact_id}/opportunities', { params, signal }))).items
    },
  })
