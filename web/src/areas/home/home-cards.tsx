import { Link } from '@tanstack/react-router'
import { ChevronRight, Flame } from 'lucide-react'
import { useNow } from '../../patterns/use-now.ts'
import { useMe } from '../../session/me.ts'
import { homeTexts } from '../../texts/en/home-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { formatAgo, formatDate, formatDateTime, formatDuration, formatMoney } from '../../ui/format.ts'
import { daysSince } from '../../ui/time-zone.ts'
import styles from './home.module.css'
import type { Home } from './home-queries.ts'

type Visit = NonNullable<Home['rooms']>['items'][number]
type Deals = NonNullable<Home['deals']>

export const ReadingCard = ({ visits }: { visits: readonly Visit[] }) => (
  <section className={styles.card} aria-labelledby="reading">
    <header>
      <h2 id="reading">{homeTexts.reading}</h2>
    </header>
    {visits.length === 0 ? (
      <p className={styles.nothing}>{homeTexts.noVisits}</p>
    ) : (
      <ul className={styles.list}>
        {visits.map((visit, at) => (
          <VisitRow
            key={`${visit.room.id} ${visit.at}`}
            visit={visit}
            isMarked={visit.room.band === 'hot' && visits.findIndex(({ room }) => room.id === visit.room.id) === at}
          />
        ))}
      </ul>
    )}
  </section>
)

/** A hot room is marked once, at its last visit. */
function VisitRow({ visit, isMarked }: { visit: Visit; isMarked: boolean }) {
  const { room, visitor, title, seconds, at } = visit
  const { locale } = useMe()
  const now = useNow()
  const name = visitor.name ?? homeTexts.anonymous
  return (
    <li>
      <Avatar name={name} size="medium" />
      <span className={styles.grow}>
        <span className={styles.line}>
          <span className={styles.name}>{name}</span>
          {isMarked && (
            <Badge hue="danger" hasDot={false}>
              <Flame size={12} />
              {homeTexts.hotRoom}
            </Badge>
          )}
        </span>
        <span className={styles.detail}>{title === room.name ? title : `${title} · ${room.name}`}</span>
      </span>
      <span className={styles.figure}>
        <b>{seconds < 60 ? homeTexts.seconds(seconds) : formatDuration(seconds * 1_000)}</b>
        <time dateTime={at} title={formatDateTime(at, locale)}>
          {formatAgo(at, now, locale)}
        </time>
      </span>
    </li>
  )
}

/** Deals whose close date is near or has passed. */
export function ClosingCard({ deals, amount }: { deals: Deals['items']; amount: Deals['closing_amount'] }) {
  const { locale } = useMe()
  return (
    <section className={styles.card} aria-labelledby="closing">
      <header>
        <h2 id="closing">{homeTexts.closingTitle}</h2>
        <b className={styles.total}>{formatMoney(amount, locale)}</b>
        <Link to={'/deals' as string} className={styles.more} aria-label={homeTexts.allDeals}>
          <ChevronRight size={14} />
        </Link>
      </header>
      {deals.length === 0 ? (
        <p className={styles.nothing}>{homeTexts.nothingCloses}</p>
      ) : (
        <ul className={styles.list}>
          {deals.map((deal) => (
            <DealRow key={deal.id} deal={deal} />
          ))}
        </ul>
      )}
    </section>
  )
}

function DealRow({ deal }: { deal: Deals['items'][number] }) {
  const { locale } = useMe()
  const now = useNow()
  const { id, name, account, stage_label, amount, close_on, is_overdue } = deal
  return (
    <li>
      <Avatar name={account?.name ?? name} size="medium" isCompany />
      <span className={styles.grow}>
        <Link to={`/deals/${id}` as string} className={styles.name}>
          {name}
        </Link>
        <span className={styles.detail}>{[account?.name, stage_label].filter(Boolean).join(' · ')}</span>
      </span>
      {amount && <b className={styles.amount}>{formatMoney(amount, locale)}</b>}
      <time dateTime={close_on} className={`${styles.closeDate} ${is_overdue ? styles.lateClock : ''}`}>
        {is_overdue ? homeTexts.daysOver(Math.max(1, daysSince(close_on, now))) : formatDate(close_on, locale)}
      </time>
    </li>
  )
}
