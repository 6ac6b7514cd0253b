import { Link } from '@tanstack/react-router'
import { ChevronRight, Megaphone, Pause, Waypoints } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMe } from '../../session/me.ts'
import { homeTexts } from '../../texts/en/home-texts.ts'
import { formatNumber } from '../../ui/format.ts'
import styles from './home.module.css'
import type { Home } from './home-queries.ts'

type Audience = NonNullable<Home['audience']>

/** The API stops counting here. */
const maxCounted = 10_000

export function CampaignsCard({ campaigns }: Pick<Audience, 'campaigns'>) {
  const { locale } = useMe()
  const count = (value: number) => formatNumber(value, locale) + (value >= maxCounted ? '+' : '')
  return (
    <AudienceCard kind="campaigns" isEmpty={campaigns.length === 0}>
      {campaigns.map(({ id, name, added_7d: added, responded_7d: responded }) => (
        <li key={id}>
          <span className={`${styles.what} ${styles.today}`} aria-hidden="true">
            <Megaphone size={16} />
          </span>
          <span className={styles.grow}>
            <Link to={`/campaigns/${id}` as string} className={styles.name}>
              {name}
            </Link>
          </span>
          <span className={styles.figure}>
            <b>{homeTexts.responded(responded, count(responded))}</b>
            <span className={styles.detail}>{homeTexts.added(added, count(added))}</span>
          </span>
        </li>
      ))}
    </AudienceCard>
  )
}

export function CadencesCard({ cadences }: Pick<Audience, 'cadences'>) {
  const { locale } = useMe()
  return (
    <AudienceCard kind="cadences" isEmpty={cadences.length === 0}>
      {cadences.map(({ id, name, live_count: live, paused_reason: reason }) => (
        <li key={id}>
          <span className={`${styles.what} ${reason ? styles.late : styles.today}`} aria-hidden="true">
            {reason ? <Pause size={16} /> : <Waypoints size={16} />}
          </span>
          <span className={styles.grow}>
            <Link to={`/cadences/${id}` as string} className={styles.name}>
              {name}
            </Link>
            <span className={styles.detail}>{reason ? homeTexts.pausedReasons[reason] : homeTexts.active}</span>
          </span>
          <span className={styles.figure}>
            <b>{homeTexts.people(live, formatNumber(live, locale))}</b>
            <span className={styles.detail}>{reason ? homeTexts.waiting : homeTexts.live}</span>
          </span>
        </li>
      ))}
    </AudienceCard>
  )
}

type CardProps = { kind: 'campaigns' | 'cadences'; isEmpty: boolean; children: ReactNode }

const AudienceCard = ({ kind, isEmpty, children }: CardProps) => (
  <section className={styles.card} aria-labelledby={kind}>
    <header>
      <h2 id={kind}>{homeTexts.audience[kind].title}</h2>
      <Link to={`/${kind}` as string} className={styles.more}>
        {homeTexts.audience[kind].all}
        <ChevronRight size={14} />
      </Link>
    </header>
    {isEmpty ? (
      <p className={styles.nothing}>{homeTexts.audience[kind].none}</p>
    ) : (
      <ul className={styles.list}>{children}</ul>
    )}
  </section>
)
