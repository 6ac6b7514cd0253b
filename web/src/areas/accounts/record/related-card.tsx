import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import styles from './related.module.css'

type CardProps<Row> = {
  texts: { title: string; part: string; more: (count: number, text: string) => string; moreLoaded: string }
  query: Pick<
    UseInfiniteQueryResult<unknown>,
    'data' | 'error' | 'refetch' | 'hasNextPage' | 'fetchNextPage' | 'isFetchingNextPage'
  >
  /** The loaded records, in the order of the card. */
  rows: readonly Row[]
  shownFirst: number
  summary?: ReactNode
  action?: ReactNode
  empty: { title: string; text: string }
  renderRows: (rows: readonly Row[]) => ReactNode
}

/** Records of the account. The first ones are shown, and the others in place. */
export function RelatedCard<Row>(props: CardProps<Row>) {
  const { texts, query, rows, shownFirst, summary, action, empty, renderRows } = props
  const { locale } = useMe()
  const id = useId()
  const [isLong, setLong] = useState(false)
  const hidden = isLong ? 0 : Math.max(0, rows.length - shownFirst)
  const count = `${formatNumber(rows.length, locale)}${query.hasNextPage ? '+' : ''}`
  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.header}>
        <h2 id={id}>
          {texts.title} {rows.length > 0 && <span className={styles.count}>{count}</span>}
        </h2>
        <span className={styles.summary}>{summary}</span>
        {rows.length > 0 && action}
      </header>
      {query.error && !query.data ? (
        <ProblemState error={query.error} part={texts.part} retry={() => void query.refetch()} />
      ) : !query.data ? (
        <Skeleton rows={3} />
      ) : rows.length === 0 ? (
        <div className={styles.empty}>
          <p>
            <b>{empty.title}</b>
          </p>
          <p>{empty.text}</p>
          {action}
        </div>
      ) : (
        renderRows(hidden > 0 ? rows.slice(0, shownFirst) : rows)
      )}
      {hidden > 0 && (
        <Button variant="quiet" className={styles.more} onClick={() => setLong(true)}>
          {texts.more(hidden, query.hasNextPage ? `${formatNumber(hidden, locale)}+` : formatNumber(hidden, locale))}
        </Button>
      )}
      {hidden === 0 && query.hasNextPage && (
        <Button
          variant="quiet"
          className={styles.more}
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {texts.moreLoaded}
        </Button>
      )}
    </section>
  )
}
