import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read } from '../../api/client.ts'

export const contactQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.contacts.detail(id),
    queryFn: ({ signal }) =>
      read(api.GET('/api/contacts/{contact_id}', { params: { path: { contact_id: id } }, signal })),
  })
