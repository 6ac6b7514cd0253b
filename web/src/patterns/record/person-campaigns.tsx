import type { UseQueryResult } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import { useMe } from '../../session/me.ts'
import { recordPartTexts } from '../../texts/en/record-part-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatAgo } from '../../ui/format.ts'
import { labelOfKey } from '../label-of-key.ts'
import { ProblemState, Skeleton } from '../states.tsx'
import { useNow } from '../use-now.ts'
import styles from './record-items.module.css'

type Membership = Schemas['ListContactCampaignsResult']['items'][number]

const texts = recordPartTexts.campaigns

/** The campaigns of a lead or contact, the latest first. */
export function PersonCampaigns({ query }: { query: UseQueryResult<readonly Membership[]> }) {
  const { locale } = useMe()
  const now = useNow()
  const { data, error, isPending, refetch } = query
  if (isPending) return <Skeleton rows={3} />
  if (error) return <ProblemState error={error} part={texts.part} retry={() => void refetch()} />
  if (data.length === 0) return <p className={styles.none}>{texts.none}</p>
  return (
    <ul className={styles.items}>
      {data.map(({ id, campaign, status, responded, first_touched_at: at }) => (
        <li key={id}>
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
