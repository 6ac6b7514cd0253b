import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../../api/problem.ts'
import { showProblem } from '../../../patterns/show-problem.ts'
import { bulkTexts as texts } from '../../../texts/en/lead-bulk-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toast.tsx'
import { refreshLeads } from '../lead-queries.ts'
import { type BulkAction, type BulkSelection, maxRestored, runBulkAction } from './bulk-api.ts'
import { type BulkResult, type BulkTask, changedIds, isTask } from './bulk-results.ts'

export type OfferedAction = BulkAction & { action: keyof typeof texts.done }
type Run = { action: OfferedAction; selection: BulkSelection }

/** Describes a bulk action to the user: its progress, its failures, or a question. */
export type BulkState =
  | { kind: 'task'; task: BulkTask; action: OfferedAction['action'] }
  | { kind: 'failures'; result: BulkResult }
  | { kind: 'changed'; run: Run & { selection: { kind: 'matching' } }; now: number }

/** Runs bulk actions. Up to 200 leads are changed at once, more by a task. */
export function useBulk({ locale, clear }: { locale: string; clear: () => void }) {
  const [state, setState] = useState<BulkState>()
  const report = async ({ action }: OfferedAction, result: BulkResult) => {
    const { succeeded } = result
    const ids = changedIds(result)
    const undo = { label: texts.undo, run: () => run({ action: 'restore' }, { kind: 'ids', ids }) }
    const mayUndo = action === 'delete' && ids.length > 0 && ids.length <= maxRestored
    if (succeeded > 0)
      showToast(texts.done[action](succeeded, formatNumber(succeeded, locale)), { action: mayUndo ? undo : undefined })
    setState(result.failed > 0 ? { kind: 'failures', result } : undefined)
    await refreshLeads()
  }
  const mutation = useMutation({
    mutationFn: ({ action, selection }: Run) => runBulkAction(action, selection),
    onSuccess: async (response, { action }) => {
      clear()
      if (isTask(response)) setState({ kind: 'task', task: response, action: action.action })
      else await report(action, response)
    },
    onError: (error, { action, selection }) => {
      if (isProblem(error, 'selection_changed') && selection.kind === 'matching')
        setState({ kind: 'changed', run: { action, selection }, now: Number(error.extra.actual) })
      else showProblem(error)
    },
  })
  const run = (action: OfferedAction, selection: BulkSelection) => mutation.mutate({ action, selection })
  return {
    state,
    isRunning: mutation.isPending,
    run,
    end: () => setState(undefined),
    /** Repeats an action with the current number of matching leads. */
    continueWith({ action, selection }: Run & { selection: { kind: 'matching' } }, count: number) {
      setState(undefined)
      run(action, { ...selection, count })
    },
  }
}
