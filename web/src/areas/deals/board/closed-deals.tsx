import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import { RecordPanel } from '../../../patterns/record/record-panel.tsx'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatDate } from '../../../ui/format.ts'
import { formatAmount } from '../amounts.ts'
import type { BoardStage, DealBoard, DealSummary } from '../board-moves.ts'
import type { BoardFilter } from '../deal-queries.ts'
import { PanelFrame } from '../panel-frame.tsx'
import styles from './closed-deals.module.css'

type ClosedDealsProps = {
  board: DealBoard
  stage: BoardStage
  filter: Pick<BoardFilter, 'ownerId' | 'search'>
  close: () => void
}

export function ClosedDeals({ board, stage, filter, close }: ClosedDealsProps) {
  const { locale } = useMe()
  const deals = useClosedDeals(board, stage.key, filter)
  return (
    <PanelFrame>
      <RecordPanel label={stage.label} path={location.pathname + location.search} close={close}>
        <h2 className={styles.title}>
          {stage.label} <span>{dealTexts.thisQuarter}</span>
        </h2>
        {deals.data ? (
          <ul className={styles.deals}>
            {deals.data.pages
              .flatMap(({ items }) => items)
              .map((deal) => (
                <ClosedDeal key={deal.id} deal={deal} locale={locale} />
              ))}
          </ul>
        ) : deals.error ? (
          <ProblemState error={deals.error} part={dealTexts.closedList} retry={() => void deals.refetch()} />
        ) : (
          <Skeleton rows={6} />
        )}
        {deals.hasNextPage && (
          <Button
            variant="quiet"
            size="small"
            className={styles.more}
            disabled={deals.isFetchingNextPage}
            onClick={() => void deals.fetchNextPage()}
          >
            {deals.isFetchingNextPage ? dealTexts.loadingMore : dealTexts.showMore}
          </Button>
        )}
      </RecordPanel>
    </PanelFrame>
  )
}

const ClosedDeal = ({ deal, locale }: { deal: DealSummary; locale: string }) => (
  <li>
    <Link to="/deals" search={(before) => ({ ...before, open: deal.id })} className={styles.deal}>
      <b>{deal.name}</b>
      <span className="number">{formatAmount(deal, locale)}</span>
      <small>{deal.account?.name}</small>
      <small>{formatDate(deal.close_on, locale)}</small>
    </Link>
  </li>
)

const useClosedDeals = (
  { pipeline, closed_from }: DealBoard,
  stageKey: string,
  { ownerId, search }: Pick<BoardFilter, 'ownerId' | 'search'>,
) => {
  const isCounted = { all: [{ not: { field: 'closed_at', op: 'before', value: closed_from } }] }
  const query = {
    pipeline_id: pipeline.id,
    stage_key: [stageKey],
    owner_id: ownerId,
    search,
    filter: JSON.stringify(isCounted),
    sort: '-close_on' as const,
    fields: 'summary' as const,
    limit: 50,
    count: 'none' as const,
  }
  return useInfiniteQuery({
    queryKey: areaKeys.deals.closed(query),
    queryFn: ({ pageParam, signal }) =>
      read(api.GET('/api/opportunities/', { params: { query: { ...query, cursor: pageParam } }, signal })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
}
