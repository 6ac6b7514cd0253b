import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { SimilarRecords } from '../../../patterns/record/similar-records.tsx'
import { createTexts as texts } from '../../../texts/en/lead-create-texts.ts'
import { nameOfLead, roleOfLead } from '../lead-names.ts'

const maxShown = 5

/** Leads that contain the email address. */
export function SimilarLeads({ email, open }: { email: string; open: (id: string) => void }) {
  const { data } = useQuery({
    queryKey: queryKeys.leads.similar(email),
    queryFn: async ({ signal }) => {
      const query = { search: email, limit: maxShown, count: 'none' as const, fields: 'summary' as const }
      return (await read(api.GET('/api/leads/', { params: { query }, signal }))).items
    },
    enabled: email.includes('@'),
  })
  if (!data?.length) return null
  return (
    <SimilarRecords
      title={texts.similar(data.length)}
      records={data.map((lead) => ({ id: lead.id, name: nameOfLead(lead), detail: roleOfLead(lead) }))}
      openText={texts.open}
      describeOpen={texts.openLead}
      open={open}
    />
  )
}
