import type { Schemas } from '../../api/client.ts'
import { addMoney } from './amounts.ts'

export type DealBoard = Schemas['OpportunityBoard']
export type BoardStage = Schemas['OpportunityBoardStage']
export type DealSummary = Schemas['OpportunitySummary']

const baseAmountOf = ({ amount_base }: DealSummary): number => (amount_base ? Number(amount_base.amount) : -1)

/** The position of a deal among the deals of a stage, which are sorted by amount, highest first. */
export function findPlace(items: readonly DealSummary[], deal: DealSummary): number {
  const others = items.filter(({ id }) => id !== deal.id)
  const at = others.findIndex((other) => baseAmountOf(other) < baseAmountOf(deal))
  return at === -1 ? others.length : at
}

export const findDeal = (board: DealBoard, id: string): DealSummary | undefined =>
  board.stages.flatMap(({ items }) => items).find((deal) => deal.id === id)

/** Shows a deal in another stage before the server has answered. */
export function moveInBoard(board: DealBoard, id: string, toKey: string): DealBoard {
  const deal = findDeal(board, id)
  const to = board.stages.find(({ key }) => key === toKey)
  if (!deal || !to || deal.stage_key === toKey) return board
  const { key: stage_key, label: stage_label, kind, probability_rate } = to
  return replaceInBoard(board, { ...deal, stage_key, stage_label, kind, probability_rate, days_in_stage: 0 })
}

/** Replaces a deal that the board shows, in the stage and at the place of its new values. */
export function replaceInBoard(board: DealBoard, deal: DealSummary): DealBoard {
  const before = findDeal(board, deal.id)
  if (!before || board.pipeline.id !== deal.pipeline_id) return before ? removeFromBoard(board, deal.id) : board
  const without = removeFromBoard(board, deal.id)
  return {
    ...without,
    stages: without.stages.map((stage) => (stage.key === deal.stage_key ? addToStage(stage, deal) : stage)),
  }
}

function addToStage(stage: BoardStage, deal: DealSummary): BoardStage {
  const { items, count, amount } = stage
  const place = findPlace(items, deal)
  return {
    ...stage,
    count: count + 1,
    amount: addMoney(amount, deal.amount_base, 1),
    items: stage.kind === 'open' ? items.toSpliced(place, 0, deal) : items,
  }
}

export const removeFromBoard = (board: DealBoard, id: string): DealBoard => ({
  ...board,
  stages: board.stages.map((stage) => {
    const deal = stage.items.find((item) => item.id === id)
    return deal
      ? {
          ...stage,
          count: stage.count - 1,
          amount: addMoney(stage.amount, deal.amount_base, -1),
          items: stage.items.filter((item) => item !== deal),
        }
      : stage
  }),
})

/** Adds the next page of a stage. Deals that were moved since are not shown twice. */
export const appendToStage = (
  board: DealBoard,
  stageKey: string,
  page: { items: readonly DealSummary[]; next_cursor: string | null },
): DealBoard => ({
  ...board,
  stages: board.stages.map((stage) =>
    stage.key === stageKey
      ? {
          ...stage,
          items: [...stage.items, ...page.items.filter(({ id }) => !findDeal(board, id))],
          next_cursor: page.next_cursor,
        }
      : stage,
  ),
})
