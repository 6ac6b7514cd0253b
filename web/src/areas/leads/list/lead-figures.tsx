import { useQuery } from '@tanstack/react-query'
import { kpisQuery } from '../../../patterns/shared-queries.ts'
import { useNarrow } from '../../../patterns/use-narrow.ts'
import { leadListTexts } from '../../../texts/en/lead-list-texts.ts'
import { formatDuration, formatNumber } from '../../../ui/format.ts'
import styles from './list.module.css'
import type { LeadList } from './use-lead-list.ts'

const texts = leadListTexts.figures

/** Shows how fast leads are answered. The counts filter the list. */
export function LeadFigures({ list }: { list: Pick<LeadList, 'filters' | 'setFilter' | 'me'> }) {
  const { filters, setFilter, me } = list
  const isNarrow = useNarrow()
  const { data } = useQuery(kpisQuery(filters.owner))
  if (!data) return null
  const { sla_breached_open: late, awaiting_first_response: awaiting, median_first_response_seconds: median } = data
  const toggle = (response: 'late' | 'awaiting') =>
    setFilter('response', filters.response === response ? undefined : response)
  return (
    <fieldset className={styles.figures} aria-label={texts.label}>
      <button
        type="button"
        className={styles.figure}
        aria-pressed={filters.response === 'late'}
        onClick={() => toggle('late')}
      >
        <b className={late > 0 ? styles.bad : ''}>{formatNumber(late, me.locale)}</b>
        {isNarrow ? texts.lateShort : texts.late}
      </button>
      <button
        type="button"
        className={styles.figure}
        aria-pressed={filters.response === 'awaiting'}
        onClick={() => toggle('awaiting')}
      >
        <b>{formatNumber(awaiting, me.locale)}</b>
        {isNarrow ? texts.awaitingShort : texts.awaiting}
      </button>
      <span className={styles.figure}>
        {median === null ? (
          texts.noMedian
        ) : (
          <>
            <b>{formatDuration(median * 1_000)}</b>
            {isNarrow ? texts.medianShort : texts.median}
            {!isNarrow && (
              <MedianChange now={median} before={data.previous_median_first_response_seconds} locale={me.locale} />
            )}
          </>
        )}
      </span>
    </fieldset>
  )
}

function MedianChange({ now, before, locale }: { now: number; before: number | null; locale: string }) {
  if (!before) return null
  const change = new Intl.NumberFormat(locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  }).format(now / before - 1)
  return (
    <b className={now > before ? styles.worse : styles.better} title={texts.change(change)}>
      {change}
    </b>
  )
}
