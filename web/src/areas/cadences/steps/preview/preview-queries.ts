import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../../../api/area-keys.ts'
import { api, read, type Schemas } from '../../../../api/client.ts'

/** A person as whom an email is shown. */
export type PreviewPerson = { kind: 'lead' | 'contact'; id: string; name: string; email: string }

export const toPersonId = ({ kind, id }: PreviewPerson) => (kind === 'lead' ? { lead_id: id } : { contact_id: id })

const maxPeople = 20

/** The newest people of the cadence, or the newest leads of a cadence without people. */
export const previewPeopleQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.cadences.previewPeople(id),
    queryFn: async ({ signal }): Promise<PreviewPerson[]> => {
      const query = { limit: maxPeople, count: 'none' as const }
      const params = { path: { cadence_id: id }, query }
      const { items } = await read(api.GET('/api/cadences/{cadence_id}/enrollments', { params, signal }))
      const enrolled = items.flatMap(({ lead, contact }) => [
        ...(lead ? [toPerson('lead', lead)] : []),
        ...(contact ? [toPerson('contact', contact)] : []),
      ])
      return enrolled.length > 0 ? withAddress(enrolled) : await findLeads('', signal)
    },
    staleTime: 5 * 60_000,
  })

const toPerson = (
  kind: PreviewPerson['kind'],
  { id, name, email }: { id: string; name: string | null; email: string | null },
) => ({ kind, id, name: name || email || '', email: email ?? '' })

const withAddress = (people: readonly PreviewPerson[]): PreviewPerson[] => people.filter(({ email }) => email !== '')

export async function findLeads(text: string, signal: AbortSignal): Promise<PreviewPerson[]> {
  const query = { search: text || undefined, fields: 'summary' as const, limit: maxPeople, count: 'none' as const }
  const { items } = await read(api.GET('/api/leads/', { params: { query }, signal }))
  return withAddress(items.map((lead) => toPerson('lead', lead)))
}

type Texts = { subject_template?: string; body_template?: string }

export const previewQuery = (id: string, person: PreviewPerson, texts: Texts) => {
  const body: Schemas['PreviewCadenceEmailRequest'] = { ...toPersonId(person), ...texts }
  return queryOptions({
    queryKey: areaKeys.cadences.preview(id, body),
    queryFn: ({ signal }) =>
      read(api.POST('/api/cadences/{cadence_id}/preview', { params: { path: { cadence_id: id } }, body, signal })),
    staleTime: 60_000,
    gcTime: 60_000,
  })
}
