import { useQuery } from '@tanstack/react-query'
import itemStyles from '../../../patterns/record/record-items.module.css'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { useMe } from '../../../session/me.ts'
import { accountTexts } from '../../../texts/en/account-texts.ts'
import { Badge, type Hue } from '../../../ui/badge.tsx'
import { formatAgo } from '../../../ui/format.ts'
import { type AccountRoom, accountRoomsQuery } from './related-queries.ts'

const texts = accountTexts.rooms

const hueOfBand: Readonly<Record<NonNullable<AccountRoom['engagement_band']>, Hue>> = {
  hot: 'danger',
  warm: 'warning',
  cool: 'info',
  cold: 'neutral',
}

/** The rooms for the account, the one that was changed last first. */
export function RoomsPart({ accountId }: { accountId: string }) {
  const { locale } = useMe()
  const now = useNow()
  const { data, error, refetch } = useQuery(accountRoomsQuery(accountId))
  if (error && !data) return <ProblemState error={error} part={texts.part} retry={() => void refetch()} />
  if (!data) return <Skeleton rows={3} />
  if (data.length === 0) return <p className={itemStyles.none}>{texts.none}</p>
  return (
    <ul className={itemStyles.items}>
      {data.map(({ id, name, status, engagement_band: band, engagement_score: score, ...room }) => (
        <li key={id}>
          <div>
            <b>{name}</b>
            <small>
              {room.last_external_visit_at
                ? texts.lastVisit(formatAgo(room.last_external_visit_at, now, locale))
                : texts.noVisit}
            </small>
          </div>
          {status === 'active' && band ? (
            <Badge hue={hueOfBand[band]}>{texts.bands[band](score)}</Badge>
          ) : (
            <Badge hue="neutral">{texts.statuses[status]}</Badge>
          )}
        </li>
      ))}
    </ul>
  )
}
