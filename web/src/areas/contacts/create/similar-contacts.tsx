import { useQuery } from '@tanstack/react-query'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import { SimilarRecords } from '../../../patterns/record/similar-records.tsx'
import { contactCreateTexts as texts } from '../../../texts/en/contact-create-texts.ts'
import { nameOfContact, roleOfContact } from '../contact-names.ts'

const mostShown = 5

/** Contacts with the email address or the name. */
export function SimilarContacts({ search, open }: { search: string; open: (id: string) => void }) {
  const { data } = useQuery({
    queryKey: areaKeys.contacts.similar(search),
    queryFn: ({ signal }) => {
      const query = { search, limit: mostShown, count: 'none' as const, fields: 'summary' as const }
      return read(api.GET('/api/contacts/', { params: { query }, signal }))
    },
    enabled: search !== '',
  })
  if (!data?.length) return null
  return (
    <SimilarRecords
      title={texts.similar(data.length)}
      records={data.map((contact) => ({
        id: contact.id,
        name: nameOfContact(contact),
        detail: roleOfContact(contact) || (contact.email ?? ''),
      }))}
      openText={texts.open}
      describeOpen={texts.openContact}
      open={open}
    />
  )
}
