import { type Ref, useId, useState } from 'react'
import { FilterChip } from '../../../patterns/list/filter-chip.tsx'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { campaignResultTexts } from '../../../texts/en/campaign-result-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { useTouchedDeals } from '../campaign-queries.ts'
import type { CampaignSearch, ChangeSearch } from '../campaign-search.ts'
import styles from './deals-card.module.css'
import { DealsTable } from './deals-table.tsx'
import { filterByModel } from './touched-deals.ts'

const texts = campaignResultTexts.deals
const shownFirst = 10

type DealsCardProps = {
  ref: Ref<HTMLElement>
  campaignId: string
  /** Undefined until it is known. */
  hasDeals: boolean | undefined
  search: CampaignSearch
  change: ChangeSearch
}

/** The deals behind the amounts, with the share that each model gives the campaign. */
export function DealsCard({ ref, campaignId, hasDeals, search: { deals: kind, model }, change }: DealsCardProps) {
  const { locale } = useMe()
  const id = useId()
  const [isLong, setLong] = useState(false)
  const query = useTouchedDeals(campaignId, kind)
  const loaded = query.data?.pages.flatMap(({ items }) => items) ?? []
  const matching = filterByModel(loaded, model)
  const isShort = matching.length > shownFirst && !isLong
  const count = formatNumber(matching.length, locale)
  const isFiltered = kind !== undefined || model !== undefined
  if (query.data && loaded.length === 0 && !isFiltered) return null
  return (
    <section ref={ref} tabIndex={-1} className={styles.card} aria-labelledby={id} hidden={hasDeals === false}>
      <header className={styles.header}>
        <h2 id={id}>{texts.title}</h2>
        {model && (
          <FilterChip label={texts.model} remove={() => change({ model: undefined }, true)}>
            <span>{campaignResultTexts.models.names[model]}</span>
          </FilterChip>
        )}
        {kind && (
          <FilterChip label={texts.state} remove={() => change({ deals: undefined }, true)}>
            <span>{texts.kinds[kind]}</span>
          </FilterChip>
        )}
        {matching.length > shownFirst && (
          <Button variant="quiet" size="small" aria-expanded={isLong} onClick={() => setLong(!isLong)}>
            {isLong ? texts.fewer : texts.all(query.hasNextPage ? `${count}+` : count)}
          </Button>
        )}
      </header>
      {query.isPending ? (
        <Skeleton rows={4} />
      ) : query.error && !query.data ? (
        <ProblemState error={query.error} part={texts.part} retry={() => void query.refetch()} />
      ) : matching.length === 0 ? (
        <p className={styles.none}>{texts.none}</p>
      ) : (
        <DealsTable deals={isShort ? matching.slice(0, shownFirst) : matching} all={matching} />
      )}
      {query.hasNextPage && !isShort && (
        <Button
          variant="quiet"
          className={styles.more}
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
    </section>
  )
}
