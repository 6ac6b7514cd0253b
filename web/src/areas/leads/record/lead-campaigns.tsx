import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { useMe } from '../../../session/me.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { formatAgo } from '../../../ui/format.ts'
import { labelOfKey } from '../lead-names.ts'
import styles from './record.module.css'

export const leadCampaignsQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.leads.campaigns(id),
    queryFn: async ({ signal }) => {
      const params = { path: { lead_id: id }, query: { limit: 100 } }
      return (await read(api.GET('/api/leads/{lead_id}/campaigns', { params, signal }))).items
    },
  })

export function LeadCampaigns({ id }: { id: string }) {
  const { locale } = useMe()
  const now = useNow()
  const { data, error, isPending, refetch } = useQuery(leadCampaignsQuery(id))
  if (isPending) return <Skeleton rows={3} />
  if (error) return <ProblemState error={error} part={texts.campaigns} retry={() => void refetch()} />
  if (data.length === 0) return <p className={styles.none}>{texts.noCampaigns}</p>
  return (
    <ul className={styles.items}>
      {data.map(({ id: memberId, campaign, status, responded, first_touched_at: at }) => (
        <li key={memberId}>
          <div>
            <b>{campaign.name}</b>
            <small>
              {labelOfKey(campaign.type)} · {texts.added(formatAgo(at, now, locale))}
            </small>
          </div>
          <Badge hue={responded ? 'success' : 'neutral'}>{responded ? texts.responded : labelOfKey(status)}</Badge>
        </li>
      ))}
    </ul>
  )
}
