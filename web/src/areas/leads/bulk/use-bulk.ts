import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../../api/problem.ts'
import { trackBulkTask } from '../../../patterns/bulk-tasks.ts'
import { showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { bulkTexts as texts } from '../../../texts/en/lead-bulk-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toasts.ts'
import { refreshLeads } from '../lead-queries.ts'
import { type BulkAction, type BulkSelection, runBulkAction } from './bulk-api.ts'
import { type BulkResult, changedIds, isTask } from './bulk-results.ts'
import { needsConfirmation } from './confirmation.ts'

export type OfferedAction = BulkAction & { action: keyof typeof texts.done }

/** `target` is the name of the new owner. */
export type Run = { action: OfferedAction; selection: BulkSelection; target?: string }
export type StartBulk = (run: Run, options?: { isByKey?: boolean }) => void

/** Describes a bulk action to the user: its failures, or a question. */
export type BulkState =
  | { kind: 'confirm'; run: Run }
  | { kind: 'failures'; result: BulkResult }
  | { kind: 'changed'; run: Run & { selection: { kind: 'matching' } }; now: number }

const countOf = (selection: BulkSelection): number =>
  selection.kind === 'ids' ? selection.ids.length : selection.count

/** Runs bulk actions. Up to 200 leads are changed at once, more by a task that the shell shows. */
export function useBulk({ locale, clear }: { locale: string; clear: () => void }) {
  const [state, setState] = useState<BulkState>()
  const report = async ({ action }: OfferedAction, result: BulkResult) => {
    const { succeeded } = result
    const ids = changedIds(result)
    const undo = {
      label: texts.undo,
      run: () => mutation.mutate({ action: { action: 'restore' }, selection: { kind: 'ids', ids } }),
    }
    const mayUndo = action === 'delete' && ids.length > 0
    if (succeeded > 0)
      showToast(texts.done[action](succeeded, formatNumber(succeeded, locale)), { action: mayUndo ? undo : undefined })
    setState(result.failed > 0 ? { kind: 'failures', result } : undefined)
    await refreshLeads()
  }
  const mutation = useMutation({
    mutationFn: ({ action, selection }: Run) => runBulkAction(action, selection),
    onSuccess: async (response, { action }) => {
      clear()
      if (!isTask(response)) return await report(action, response)
      const label = texts.tasks[action.action](formatNumber(response.total, locale))
      void trackBulkTask(response.task_id, action.action, label, locale)
    },
    onError: (error, run) => {
      const { selection } = run
      if (isProblem(error, 'selection_changed') && selection.kind === 'matching')
        setState({ kind: 'changed', run: { ...run, selection }, now: Number(error.extra.actual) })
      else showRepeatableProblem(error, () => mutation.mutate(run))
    },
  })
  const start: StartBulk = (run, { isByKey = false } = {}) => {
    if (needsConfirmation({ kind: run.selection.kind, count: countOf(run.selection) }, isByKey))
      setState({ kind: 'confirm', run })
    else mutation.mutate(run)
  }
  return {
    state,
    isRunning: mutation.isPending,
    start,
    end: () => setState(undefined),
    /** Runs an action that the user has confirmed. */
    proceed(run: Run) {
      setState(undefined)
      mutation.mutate(run)
    },
  }
}
