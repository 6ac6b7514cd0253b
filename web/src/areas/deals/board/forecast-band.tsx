import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatPercent } from '../../../patterns/amounts.ts'
import { forecastQuery } from '../../../patterns/forecast-query.ts'
import { can, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { stateTexts } from '../../../texts/en/state-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatMoney } from '../../../ui/format.ts'
import styles from './forecast-band.module.css'
import { quarterNumberOf, toForecastBar } from './quarters.ts'
import type { DealOwner } from './use-deal-owner.ts'

const texts = dealTexts.forecast

/** The forecast of the current fiscal quarter against the quota of the chosen owner. */
export function ForecastBand({ owner }: { owner: DealOwner }) {
  const me = useMe()
  const forecast = useQuery(forecastQuery(owner.id))
  const { locale } = me
  if (forecast.error || owner.error)
    return (
      <section className={styles.band}>
        <p className={styles.muted}>{stateTexts.partFailed(texts.part)}</p>
        <Button
          size="small"
          onClick={() => {
            void forecast.refetch()
            owner.retry()
          }}
        >
          {stateTexts.retry}
        </Button>
      </section>
    )
  if (!forecast.data || owner.quota === undefined) return <section className={styles.band} aria-busy="true" />
  const { totals, from } = forecast.data
  const { quota } = owner
  const bar = toForecastBar(totals, quota)
  const quarter = quarterNumberOf(from, me.tenant.general.fiscal_year_start_month)
  const money = (value: { amount: string; currency: string }) => formatMoney(value, locale)
  const title = quota ? texts.title(quarter) : texts.titleWithoutQuota(quarter)
  return (
    <section className={`${styles.band} ${quota ? '' : styles.withoutQuota}`} aria-label={title}>
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p className={`number ${styles.figure}`}>
          {money(totals.closed)} {quota && <small>{texts.of(money(quota))}</small>}
        </p>
      </div>
      <div className={styles.middle}>
        <div className={styles.track} aria-hidden="true">
          <span className={styles.fill} style={{ width: `${bar.closed + bar.commit + bar.bestCase}%` }}>
            <span className={styles.closed} style={{ flexGrow: bar.closed }} />
            <span className={styles.commit} style={{ flexGrow: bar.commit }} />
            <span className={styles.best} style={{ flexGrow: bar.bestCase }} />
          </span>
          {bar.goal !== null && <span className={styles.goal} style={{ left: `${bar.goal}%` }} />}
        </div>
        <div className={`number ${styles.legend}`}>
          <Figure mark={styles.closed!} label={texts.closed} value={money(totals.closed)} />
          <Figure mark={styles.commit!} label={texts.commit} value={money(totals.commit)} />
          <Figure mark={styles.best!} label={texts.bestCase} value={money(totals.best_case)} />
          {quota ? (
            <span className={styles.quota}>
              {texts.quota} <b>{money(quota)}</b>
            </span>
          ) : (
            <span className={styles.quota}>
              {owner.noQuotaText}{' '}
              {can(me, 'users.write') ? (
                <Link to="/people" search={{ open: owner.id }} className={styles.link}>
                  {texts.setQuota}
                </Link>
              ) : (
                texts.askForQuota
              )}
            </span>
          )}
        </div>
      </div>
      {bar.attainment !== null && (
        <div className={styles.end}>
          <p className={styles.title}>{texts.closedAndCommit}</p>
          <p className={`number ${styles.figure} ${bar.attainment >= 1 ? styles.reached : ''}`}>
            {formatPercent(bar.attainment, locale)}
          </p>
        </div>
      )}
    </section>
  )
}

const Figure = ({ mark, label, value }: { mark: string; label: string; value: ReactNode }) => (
  <span>
    <i className={`${styles.mark} ${mark}`} />
    {label} <b>{value}</b>
  </span>
)
