import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Board } from '../../../patterns/board/board.tsx'
import type { Lane } from '../../../patterns/board/board-model.ts'
import { focusCard, scrollToCard } from '../../../patterns/board/card-focus.ts'
import { useCommands } from '../../../session/commands.ts'
import { can, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatAmount } from '../amounts.ts'
import type { BoardStage, DealBoard, DealSummary } from '../board-moves.ts'
import { findDeal, findPlace } from '../board-moves.ts'
import { CloseDealDialog } from '../close-deal.tsx'
import type { Closing } from '../closing.ts'
import { type DealAction, listDealCommands } from '../deal-actions.ts'
import { hotRoomsQuery } from '../deal-queries.ts'
import { hueOfStage } from '../stage-hues.ts'
import { useMoveDeal } from '../use-move-deal.ts'
import { DealCard } from './deal-card.tsx'
import styles from './deals.module.css'
import { ClosedLaneHeader, OpenLaneHeader, StageDot } from './lane-header.tsx'
import { toStageMenu } from './stage-menu.tsx'
import type { useBoard } from './use-board.ts'

type BoardViewProps = {
  board: DealBoard
  /** While another board is loaded. */
  isRefreshing: boolean
  showMore: ReturnType<typeof useBoard>['showMore']
  hasHotRooms: boolean
  openId: string | undefined
  open: (id: string, isPage: boolean) => void
  /** Opens a deal and starts an action in it. */
  start: (id: string, action: DealAction) => void
  showClosed: (stageKey: string) => void
}

export function DealBoardView({
  board,
  isRefreshing,
  showMore,
  hasHotRooms,
  openId,
  open,
  ...actions
}: BoardViewProps) {
  const { start, showClosed } = actions
  const me = useMe()
  const canWrite = can(me, 'opportunities.write')
  const { stages } = board
  const hotRooms = useQuery({ ...hotRoomsQuery, enabled: hasHotRooms && can(me, 'rooms.read') })
  const hotDeals = new Set(hasHotRooms ? hotRooms.data : [])
  const [activeId, setActive] = useState(openId)
  const [closing, setClosing] = useState<Closing>()
  useEffect(() => {
    if (!openId) return
    setActive(openId)
    scrollToCard(openId)
  }, [openId])
  const { moveDeal, stageOf } = useMoveDeal()
  const move = (deal: DealSummary, toKey: string) => {
    const stage = stages.find(({ key }) => key === toKey)
    if (!stage || stage.key === stageOf(deal)) return
    if (stage.kind === 'open') moveDeal(deal, toKey)
    else setClosing({ deal, stage })
  }
  const active = activeId ? findDeal(board, activeId) : undefined
  const moveBy = (step: 1 | -1) => {
    if (!active) return
    const next = stages[stages.findIndex(({ key }) => key === stageOf(active)) + step]
    if (next) move(active, next.key)
  }
  useCommands([
    ...listDealCommands(canWrite && active !== undefined && !openId, (action) => active && start(active.id, action)),
    ...(['previous', 'next'] as const).map((direction) => ({
      id: `deal:${direction}-stage`,
      label: direction === 'next' ? dealTexts.nextStage : dealTexts.previousStage,
      group: dealTexts.group,
      keys: [direction === 'next' ? ']' : '['],
      isAvailable: canWrite && active !== undefined,
      run: () => moveBy(direction === 'next' ? 1 : -1),
    })),
  ])
  const toLane = (stage: BoardStage): Lane<DealSummary> => {
    const hue = hueOfStage(stages, stage.key)
    const Header = stage.kind === 'open' ? OpenLaneHeader : ClosedLaneHeader
    const remaining = stage.count - stage.items.length
    const isLoading = showMore.isPending && showMore.variables.key === stage.key
    return {
      key: stage.key,
      label: stage.label,
      name: dealTexts.laneName(stage.label, stage.count),
      mark: <StageDot hue={hue} />,
      count: stage.count,
      header: <Header stage={stage} hue={hue} locale={me.locale} show={() => showClosed(stage.key)} />,
      items: stage.items,
      foot: stage.kind === 'open' && stage.next_cursor && remaining > 0 && (
        <Button
          variant="quiet"
          size="small"
          className={styles.more}
          disabled={isLoading}
          onClick={() => showMore.mutate(stage)}
        >
          {isLoading ? dealTexts.loadingMore : dealTexts.more(remaining)}
        </Button>
      ),
    }
  }
  const openLanes = stages.filter(({ kind }) => kind === 'open').map((stage) => [toLane(stage)])
  const closedLanes = stages.filter(({ kind }) => kind !== 'open').map(toLane)
  return (
    <div className={`${styles.main} ${styles.board} ${isRefreshing ? styles.refreshing : ''}`}>
      <Board
        label={dealTexts.stages}
        columns={[...openLanes, closedLanes]}
        actions={{
          activeId,
          setActive,
          openId,
          open: (deal, isPage) => open(deal.id, isPage),
          move: canWrite ? move : undefined,
          placeOf: (deal, key) => findPlace(stages.find((stage) => stage.key === key)?.items ?? [], deal),
          dropText: dealTexts.moveTo,
          nameOf: (deal) => [deal.name, deal.account?.name, formatAmount(deal, me.locale)].filter(Boolean).join(', '),
          menuLabel: ({ name }) => dealTexts.cardMenu(name),
          menuOf: (deal) =>
            canWrite
              ? [
                  { label: dealTexts.open, keys: 'Enter', run: () => open(deal.id, false) },
                  ...toStageMenu(stages, deal, move),
                ]
              : [],
          renderCard: (deal) => <DealCard deal={deal} isHot={hotDeals.has(deal.id)} locale={me.locale} />,
        }}
      />
      {closing && (
        <CloseDealDialog
          {...closing}
          close={() => {
            setClosing(undefined)
            requestAnimationFrame(() => focusCard(closing.deal.id))
          }}
        />
      )}
    </div>
  )
}
