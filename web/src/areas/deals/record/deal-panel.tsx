import { useQuery } from '@tanstack/react-query'
import { isProblem } from '../../../api/problem.ts'
import { findNeighbor } from '../../../patterns/board/board-position.ts'
import { RecordPanel } from '../../../patterns/record/record-panel.tsx'
import { NotFoundState, ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { type DealBoard, findDeal } from '../board-moves.ts'
import type { DealAction } from '../deal-actions.ts'
import { dealQuery } from '../deal-queries.ts'
import { PanelFrame } from '../panel-frame.tsx'
import styles from './deal-record.module.css'
import { DealRecord } from './deal-record.tsx'

type PanelProps = {
  id: string
  board: DealBoard | undefined
  close: () => void
  open: (id: string, isPage: boolean) => void
  start?: DealAction
}

/** A deal beside the board. Its name is shown at once, because the board has it. */
export function DealPanel({ id, board, close, open, start }: PanelProps) {
  const deal = useQuery(dealQuery(id))
  const summary = board && findDeal(board, id)
  const lane = board?.stages.find(({ key }) => key === summary?.stage_key)
  const goTo = (direction: 'previous' | 'next') => {
    const neighbor = board && findNeighbor(board.stages, id, direction)
    return neighbor && summary ? () => open(neighbor, false) : undefined
  }
  const frame = {
    label: deal.data?.name ?? summary?.name ?? dealTexts.deal,
    position: lane && summary && listTexts.position(lane.items.indexOf(summary) + 1, String(lane.count)),
    path: `/deals/${id}`,
    goTo: { previous: goTo('previous'), next: goTo('next') },
    expand: () => open(id, true),
    close,
  }
  return (
    <PanelFrame>
      {deal.data ? (
        <DealRecord deal={deal.data} frame={frame} leave={close} start={start} />
      ) : (
        <RecordPanel {...frame}>
          {summary && <h2 className={styles.waiting}>{summary.name}</h2>}
          {isProblem(deal.error, 'not_found') ? (
            <NotFoundState title={dealTexts.notFound} />
          ) : deal.error ? (
            <ProblemState error={deal.error} part={dealTexts.deal} retry={() => void deal.refetch()} />
          ) : (
            <Skeleton rows={6} />
          )}
        </RecordPanel>
      )}
    </PanelFrame>
  )
}
