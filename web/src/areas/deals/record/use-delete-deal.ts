import { useMutation, useQueryClient } from '@tanstack/react-query'
import { areaKeys } from '../../../api/area-keys.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { showToast } from '../../../ui/toast.tsx'
import { type DealBoard, removeFromBoard } from '../board-moves.ts'
import { type Deal, deleteDeal, refreshDeals, restoreDeal, storeDeal } from '../deal-queries.ts'

/** Deletes without a question, because the deal can be restored. */
export function useDeleteDeal(leave: () => void) {
  const queries = useQueryClient()
  const restore = useMutation({
    mutationFn: restoreDeal,
    onSuccess: async (deal) => {
      storeDeal(queries, deal)
      showToast(dealTexts.restored(deal.name))
      await refreshDeals(queries)
    },
    onError: (error, id) => showRepeatableProblem(error, () => restore.mutate(id)),
  })
  const remove = useMutation({
    mutationFn: (deal: Deal) => deleteDeal(deal),
    onSuccess: (_, { id, name }) => {
      leave()
      queries.setQueriesData<DealBoard>(
        { queryKey: areaKeys.deals.boards },
        (board) => board && removeFromBoard(board, id),
      )
      showToast(dealTexts.deleted(name), { action: { label: dealTexts.undo, run: () => restore.mutate(id) } })
      void refreshDeals(queries)
    },
    onError: (error, deal) => showRepeatableProblem(error, () => remove.mutate(deal)),
  })
  return remove
}
