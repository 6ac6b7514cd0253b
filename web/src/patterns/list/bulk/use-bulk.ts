import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isProblem } from '../../../api/problem.ts'
import { queryClient } from '../../../api/queries.ts'
import { listBulkTexts } from '../../../texts/en/list-bulk-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toasts.ts'
import { showRepeatableProblem } from '../../show-problem.ts'
import type { BulkKind } from './bulk-kind.ts'
import { type BulkResponse, type BulkResult, changedIds, isTask } from './bulk-results.ts'
import { trackBulkTask } from './bulk-tasks.ts'
import { needsConfirmation } from './confirmation.ts'

type BulkAction = { action: string }

/** Single records, or all that match the filters of the list. */
export type BulkSelection<Filters> =
  | { kind: 'ids'; ids: readonly string[] }
  | { kind: 'matching'; filters: Filters; count: number }

/** The bulk actions of one kind of records. */
export type BulkDefinition<Action extends BulkAction, Filters> = {
  kind: BulkKind
  run: (action: Action, selection: BulkSelection<Filters>) => Promise<BulkResponse>
  /** Names the action and the number of records, as the question before it. `target` is what the user has chosen. */
  describe: (action: Action, count: number, text: string, target?: string) => string
  restore: Action
  /** Returns what the question before the action says besides. An action with such a text always asks. */
  warn?: (action: Action) => string | undefined
}

/** `target` is the name of what the user has chosen, such as the new owner. */
export type Run<Action, Filters> = { action: Action; selection: BulkSelection<Filters>; target?: string }

/** Describes a bulk action to the user: its failures, or a question. */
type BulkState<Action, Filters> =
  | { kind: 'confirm'; run: Run<Action, Filters> }
  | { kind: 'failures'; result: BulkResult }
  | { kind: 'changed'; run: Run<Action, Filters> & { selection: { kind: 'matching' } }; now: number }

export const countOf = (selection: BulkSelection<unknown>): number =>
  selection.kind === 'ids' ? selection.ids.length : selection.count

/** Runs bulk actions. Up to 200 records are changed at once, more by a task that the shell shows. */
export function useBulk<Action extends BulkAction, Filters>(
  { kind, run: send, restore, warn }: BulkDefinition<Action, Filters>,
  { locale, clear }: { locale: string; clear: () => void },
) {
  const { texts } = kind
  const [state, setState] = useState<BulkState<Action, Filters>>()
  const report = async ({ action }: Action, result: BulkResult) => {
    const { succeeded } = result
    const ids = changedIds(result)
    const undo = {
      label: listBulkTexts.undo,
      run: () => mutation.mutate({ action: restore, selection: { kind: 'ids', ids } }),
    }
    const mayUndo = action === 'delete' && ids.length > 0
    if (succeeded === 0 && result.failed === 0) showToast(listBulkTexts.nothingChanged)
    if (succeeded > 0)
      showToast(texts.done[action]!(succeeded, formatNumber(succeeded, locale)), {
        action: mayUndo ? undo : undefined,
      })
    setState(result.failed > 0 ? { kind: 'failures', result } : undefined)
    await queryClient.invalidateQueries({ queryKey: kind.queryKey })
  }
  const mutation = useMutation({
    mutationFn: ({ action, selection }: Run<Action, Filters>) => send(action, selection),
    onSuccess: async (response, { action: done }) => {
      clear()
      if (!isTask(response)) return await report(done, response)
      const { action } = done
      const label = texts.tasks[action]!(formatNumber(response.total, locale))
      void trackBulkTask(kind, response.task_id, { action, label, locale })
    },
    onError: (error, run) => {
      const { selection } = run
      if (isProblem(error, 'selection_changed') && selection.kind === 'matching')
        setState({ kind: 'changed', run: { ...run, selection }, now: Number(error.extra.actual) })
      else showRepeatableProblem(error, () => mutation.mutate(run))
    },
  })
  const start = (run: Run<Action, Filters>, isByKey = false) => {
    const { kind: selected } = run.selection
    if (warn?.(run.action) || needsConfirmation({ kind: selected, count: countOf(run.selection) }, isByKey))
      setState({ kind: 'confirm', run })
    else mutation.mutate(run)
  }
  return {
    state,
    isRunning: mutation.isPending,
    start,
    end: () => setState(undefined),
    /** Runs an action that the user has confirmed. */
    proceed(run: Run<Action, Filters>) {
      setState(undefined)
      mutation.mutate(run)
    },
  }
}
