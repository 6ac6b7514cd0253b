import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isProblem } from '../../../api/problem.ts'
import { findNeighbor } from '../../../patterns/board/board-position.ts'
import { RecordPanel } from '../../../patterns/record/record-panel.tsx'
import { NotFoundState, ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { type DealBoard, findDeal } from '../board-moves.ts'
import { dealQuery } from '../deal-queries.ts'
import styles from './deal-record.module.css'
import { DealRecord } from './deal-record.tsx'

type PanelProps = {
  id: string
  board: DealBoard | undefined
  close: () => void
  open: (id: string, isPage: boolean) => void
}

/** A deal beside the board. Its name is shown at once, because the board has it. */
export function DealPanel({ id, board, close, open }: PanelProps) {
  const deal = useQuery(dealQuery(id))
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The panel covers the board on small screens, so that the focus has to move into it.
    if (getComputedStyle(element.current!.firstElementChild!).position === 'absolute') element.current!.focus()
  }, [])
  const summary = board && findDeal(board, id)
  const lane = board?.stages.find(({ key }) => key === summary?.stage_key)
  const goTo = (direction: 'previous' | 'next') => {
    const neighbor = board && findNeighbor(board.stages, id, direction)
    return neighbor && summary ? () => open(neighbor, false) : undefined
  }
  const frame = {
    label: deal.data?.name ?? summary?.name ?? dealTexts.deal,
    position: lane && summary && recordTexts.position(lane.items.indexOf(summary) + 1, String(lane.count)),
    path: `/deals/${id}`,
    goTo: { previous: goTo('previous'), next: goTo('next') },
    expand: () => open(id, true),
    close,
  }
  return (
    <div ref={element} className={styles.frame} tabIndex={-1}>
      {deal.data ? (
        <DealRecord deal={deal.data} frame={frame} leave={close} />
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
    </div>
  )
}
