import { useNow } from '../../patterns/use-now.ts'
import { useMe } from '../../session/me.ts'
import { homeTexts } from '../../texts/en/home-texts.ts'
import { formatDuration, formatMoney, formatNumber } from '../../ui/format.ts'
import { toDayInput } from '../../ui/time-zone.ts'
import styles from './home.module.css'
import type { Home } from './home-queries.ts'
import { compareMedians, type Trend, weeksLeftInQuarter } from './home-summary.ts'
import { type HomeFigures, useHomeFigures } from './team-figures.ts'

/** The figures of the user or of the team. Parts that the role does not allow are left out. */
export function HomeTiles({ home }: { home: Home }) {
  const { locale } = useMe()
  const { leads, deals, isTeam } = useHomeFigures(home)
  if (!leads && !deals) return null
  const texts = isTeam ? homeTexts.team : homeTexts
  return (
    <dl className={styles.tiles} aria-label={texts.figures}>
      {leads && (
        <>
          <Tile
            label={texts.median}
            value={formatMedian(leads.median_first_response_seconds)}
            {...compareMedians(leads.median_first_response_seconds, leads.previous_median_first_response_seconds)}
          />
          <Tile
            label={texts.openLeads}
            value={formatNumber(leads.open, locale)}
            text={
              leads.awaiting_first_response > 0
                ? homeTexts.awaitResponse(leads.awaiting_first_response)
                : homeTexts.allAnswered
            }
          />
        </>
      )}
      {deals && (
        <>
          <Tile
            label={texts.pipeline}
            value={formatMoney(deals.openAmount, locale)}
            text={homeTexts.deals(deals.openCount)}
          />
          <WonTile label={texts.won} {...deals} />
        </>
      )}
    </dl>
  )
}

type WonProps = Pick<NonNullable<HomeFigures['deals']>, 'closed' | 'quota'> & { label: string }

function WonTile({ label, closed, quota }: WonProps) {
  const { locale, tenant } = useMe()
  const left = homeTexts.weeksLeft(weeksLeftInQuarter(toDayInput(useNow()), tenant.general.fiscal_year_start_month))
  const share =
    quota && Number(quota.amount) > 0 ? Math.round((Number(closed.amount) / Number(quota.amount)) * 100) : null
  return (
    <Tile
      label={label}
      value={formatMoney(closed, locale)}
      text={share === null ? left : homeTexts.ofQuota(share, left)}
    />
  )
}

const Tile = ({ label, value, text, tone = 'neutral' }: { label: string; value: string } & Partial<Trend>) => (
  <div className={styles.tile}>
    <dt>{label}</dt>
    <dd className={styles.value}>{value}</dd>
    <dd className={`${styles.change} ${styles[tone]}`}>{text}</dd>
  </div>
)

const formatMedian = (seconds: number | null): string => {
  if (seconds === null) return '–'
  return seconds < 60 ? homeTexts.seconds(Math.round(seconds)) : formatDuration(seconds * 1_000)
}
