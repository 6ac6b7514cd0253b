import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { isProblem } from '../../api/problem.ts'
import { describeProblem, showProblem, showRepeatableProblem } from '../../patterns/show-problem.ts'
import { dealTexts } from '../../texts/en/deal-texts.ts'
import { showToast } from '../../ui/toast.tsx'
import { type DealBoard, type DealSummary, moveInBoard, replaceInBoard } from './board-moves.ts'
import {
  type Deal,
  type DealChanges,
  readDeal,
  refreshDeals,
  storeDeal,
  updateDeal,
  versionOf,
} from './deal-queries.ts'

type Move = { deal: DealSummary; toKey: string; undoes?: DealChanges }

const movedFields = ['stage_key', 'probability_rate', 'forecast_category'] as const

const mutationKey = ['move-deal'] as const

/** Moves deals between open stages. The board shows the move at once and takes it back if the server refuses it. */
export function useMoveDeal() {
  const queries = useQueryClient()
  const changeBoards = (change: (board: DealBoard) => DealBoard) =>
    queries.setQueriesData<DealBoard>({ queryKey: areaKeys.deals.boards }, (board) => board && change(board))
  const changeStage = (id: string, stage_key: string) =>
    queries.setQueryData<Deal>(areaKeys.deals.detail(id), (deal) => deal && { ...deal, stage_key })
  const stageOf = (deal: DealSummary): string => findTargetStage(queries, deal.id) ?? deal.stage_key
  const showMove = (deal: DealSummary) => {
    changeBoards((board) => moveInBoard(board, deal.id, stageOf(deal)))
    changeStage(deal.id, stageOf(deal))
  }

  const move = useMutation({
    mutationKey,
    // Moves are sent one after the other, so that each has the version of the one before.
    scope: { id: 'move-deal' },
    onMutate: async ({ deal }: Move) => {
      await queries.cancelQueries({ queryKey: areaKeys.deals.boards })
      showMove(deal)
    },
    mutationFn: (sent: Move) => sendMove(queries, sent),
    onSuccess: (saved, { deal, undoes }) => {
      storeDeal(queries, saved)
      showMove(saved)
      if (undoes) showToast(dealTexts.movedBack(saved.name, saved.stage_label))
      else
        showToast(dealTexts.moved(saved.name, saved.stage_label), {
          action: { label: dealTexts.undo, run: () => undo(saved, deal) },
        })
    },
    onError: (error, sent) => {
      const { deal } = sent
      changeBoards((board) => replaceInBoard(board, deal))
      changeStage(deal.id, deal.stage_key)
      const isChanged = isProblem(error) && error.status === 412
      if (isChanged) showProblem(error, dealTexts.changedByOther(deal.name))
      else
        showRepeatableProblem(error, () => move.mutate(sent), dealTexts.moveFailed(deal.name, describeProblem(error)))
    },
    onSettled: () => {
      if (queries.isMutating({ mutationKey }) === 1) void refreshDeals(queries)
    },
  })

  /** A move resets probability and forecast category, so that undoing it has to send them too. */
  const undo = (moved: DealSummary, { stage_key, probability_rate, forecast_category }: DealSummary) =>
    move.mutate({
      deal: moved,
      toKey: stage_key,
      undoes: { probability_rate, forecast_category: forecast_category === 'closed' ? undefined : forecast_category },
    })

  return {
    stageOf,
    moveDeal: (deal: DealSummary, toKey: string) => move.mutate({ deal: { ...deal, stage_key: stageOf(deal) }, toKey }),
  }
}

/** Returns the stage of the last move that is not saved yet, because keys can be pressed faster than moves are shown. */
const findTargetStage = (queries: QueryClient, id: string): string | undefined =>
  queries
    .getMutationCache()
    .findAll({ mutationKey, status: 'pending' })
    .map(({ state }) => state.variables as Move)
    .findLast(({ deal }) => deal.id === id)?.toKey

/** Sends the move again if another user changed the deal, but none of the fields that the move changes. */
async function sendMove(queries: QueryClient, { deal, toKey, undoes }: Move): Promise<Deal> {
  const changes = { stage_key: toKey, ...undoes }
  try {
    return await updateDeal(deal.id, versionOf(queries, deal), changes)
  } catch (error) {
    if (!isProblem(error) || error.status !== 412) throw error
    const current = await readDeal(deal.id)
    if (movedFields.some((field) => field in changes && current[field] !== deal[field])) throw error
    return await updateDeal(deal.id, current.version, changes)
  }
}
