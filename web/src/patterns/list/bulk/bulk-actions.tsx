import type { ReactNode } from 'react'
import type { List } from '../use-list.ts'
import { BulkBar, type Chosen } from './bulk-bar.tsx'
import { ChangedDialog, FailuresDialog } from './bulk-dialogs.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { type BulkDefinition, type BulkSelection, useBulk } from './use-bulk.ts'

export type StartBulk<Action> = (action: Action, options?: { target?: string; isByKey?: boolean }) => void

type BulkActionsProps<Action extends { action: string }, Filters> = {
  definition: BulkDefinition<Action, Filters>
  list: Pick<List, 'definition' | 'query' | 'me' | 'pages'>
  chosen: Chosen
  filters: Filters
  renderActions: (slot: { start: StartBulk<Action>; isRunning: boolean }) => ReactNode
}

/** The bar of the selected rows, and what becomes of an action on them. */
export function BulkActions<Action extends { action: string }, Filters>(props: BulkActionsProps<Action, Filters>) {
  const { definition, list, chosen, filters } = props
  const { texts } = definition.kind
  const { locale } = list.me
  const { state, isRunning, start, end, proceed } = useBulk(definition, { locale, clear: chosen.clear })
  const selection: BulkSelection<Filters> =
    chosen.allMatching === null
      ? { kind: 'ids', ids: [...chosen.ids] }
      : { kind: 'matching', filters, count: chosen.allMatching }
  const startSelected: StartBulk<Action> = (action, { target, isByKey } = {}) =>
    start({ action, selection, target }, isByKey)
  return (
    <>
      {chosen.count > 0 && (
        <BulkBar {...{ list, chosen, texts, isRunning }}>
          {props.renderActions({ start: startSelected, isRunning })}
        </BulkBar>
      )}
      {state?.kind === 'confirm' && (
        <ConfirmDialog definition={definition} run={state.run} proceed={() => proceed(state.run)} close={end} />
      )}
      {state?.kind === 'failures' && (
        <FailuresDialog texts={texts} result={state.result} select={chosen.selectIds} close={end} />
      )}
      {state?.kind === 'changed' && (
        <ChangedDialog
          texts={texts}
          before={state.run.selection.count}
          now={state.now}
          proceed={() => proceed({ ...state.run, selection: { ...state.run.selection, count: state.now } })}
          close={end}
        />
      )}
    </>
  )
}
