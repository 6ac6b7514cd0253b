import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { createTexts as texts } from '../../../texts/en/lead-create-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { nameOfLead, roleOfLead } from '../lead-names.ts'
import styles from './create.module.css'

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
    <div className={styles.similar} role="status">
      <p>{texts.similar(data.length)}</p>
      <ul>
        {data.map((lead) => (
          <li key={lead.id}>
            <Avatar name={nameOfLead(lead)} />
            <span>
              <b>{nameOfLead(lead)}</b> {roleOfLead(lead)}
            </span>
            <Button size="small" aria-label={texts.openLead(nameOfLead(lead))} onClick={() => open(lead.id)}>
              {texts.open}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

export const ExistingLead = ({ id, open }: { id: string; open: (id: string) => void }) => (
  <div className={styles.similar} role="alert">
    <p>{texts.exists}</p>
    <Button size="small" onClick={() => open(id)}>
      {texts.openExisting}
    </Button>
  </div>
)
