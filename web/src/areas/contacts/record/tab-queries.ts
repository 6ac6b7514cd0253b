import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'

const pathOf = (id: string) => ({ path: { contact_id: id } })

export const contactCampaignsQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.contacts.campaigns(id),
    queryFn: async ({ signal }) => {
      const params = { ...pathOf(id), query: { limit: 100 } }
      return (await read(api.GET('/api/contacts/{contact_id}/campaigns', { params, signal }))).items
    },
  })

/** Leads and contacts that may be the same person. */
export const contactDuplicatesQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.contacts.duplicates(id),
    queryFn: async ({ signal }) =>
      (await read(api.GET('/api/contacts/{contact_id}/duplicates', { params: pathOf(id), signal }))).items,
  })
