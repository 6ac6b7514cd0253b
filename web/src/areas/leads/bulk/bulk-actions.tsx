import { useMe } from '../../../session/me.ts'
import type { toLeadQuery, toListFilters } from '../list-query.ts'
import type { BulkSelection } from './bulk-api.ts'
import { BulkBar, type Chosen } from './bulk-bar.tsx'
import type { AskedBulkAction } from './bulk-commands.ts'
import { ChangedDialog, FailuresDialog } from './bulk-dialogs.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useBulk } from './use-bulk.ts'

export type BulkActionsProps = {
  chosen: Chosen & { selectIds: (ids: readonly string[]) => void }
  query: ReturnType<typeof toLeadQuery>
  filters: ReturnType<typeof toListFilters>
  /** Whether more leads match than are loaded. */
  hasMore: boolean
  asked: AskedBulkAction | undefined
  endAsked: () => void
}

/** The bar of the selected leads, and what becomes of an action on them. */
export function BulkActions({ chosen, query, filters, hasMore, ...asking }: BulkActionsProps) {
  const { locale } = useMe()
  const { state, isRunning, start, end, proceed } = useBulk({ locale, clear: chosen.clear })
  const selection: BulkSelection =
    chosen.allMatching === null
      ? { kind: 'ids', ids: [...chosen.ids] }
      : { kind: 'matching', filters, count: chosen.allMatching }
  return (
    <>
      {chosen.count > 0 && <BulkBar {...{ chosen, query, selection, hasMore, isRunning, start }} {...asking} />}
      {state?.kind === 'confirm' && <ConfirmDialog run={state.run} proceed={() => proceed(state.run)} close={end} />}
      {state?.kind === 'failures' && <FailuresDialog result={state.result} select={chosen.selectIds} close={end} />}
      {state?.kind === 'changed' && (
        <ChangedDialog
          before={state.run.selection.count}
          now={state.now}
          proceed={() => proceed({ ...state.run, selection: { ...state.run.selection, count: state.now } })}
          close={end}
        />
      )}
    </>
  )
}
