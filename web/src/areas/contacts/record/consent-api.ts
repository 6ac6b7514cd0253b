import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read, type Schemas } from '../../../api/client.ts'
import { queryClient } from '../../../api/queries.ts'
import { refreshContacts } from '../contact-queries.ts'

export type Consent = Schemas['PersonConsent']
export type ConsentChange = Schemas['ConsentUpdate']

const pathOf = (id: string) => ({ path: { contact_id: id } })

export const consentQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.contacts.consent(id),
    queryFn: ({ signal }) => read(api.GET('/api/contacts/{contact_id}/consent', { params: pathOf(id), signal })),
  })

/** Other contacts with the same address change, too. */
export async function updateConsent(id: string, body: ConsentChange): Promise<void> {
  const consent = await read(api.PUT('/api/contacts/{contact_id}/consent', { params: pathOf(id), body }))
  queryClient.setQueryData(consentQuery(id).queryKey, consent)
  await refreshContacts()
}
