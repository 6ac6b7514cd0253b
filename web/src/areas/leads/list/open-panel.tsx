import { queryClient } from '../../../api/queries.ts'
import type { ListSlot } from '../../../patterns/list/list-page.tsx'
import { useOpenRow } from '../../../patterns/list/use-open-row.ts'
import { renderFailedPanel } from '../../../patterns/record/failed-panel.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { type LeadRow, leadQuery } from '../lead-queries.ts'
import type { LeadList } from './use-lead-list.ts'

export const LeadPanel = lazyPart(() => import('../record/lead-panel.tsx'), 'LeadPanel', {
  waiting: <div />,
  renderFailure: renderFailedPanel,
})

/** The open lead beside the list. */
export function OpenPanel({ list, ...slot }: { list: LeadList } & ListSlot<LeadRow>) {
  const { search, open } = list
  const { id, ...frame } = useOpenRow(list, slot, (next) => queryClient.prefetchQuery(leadQuery(next)))
  if (!id) return null
  return (
    <LeadPanel
      id={id}
      {...frame}
      show={open}
      tab={search.tab}
      setTab={list.setTab}
      compose={search.compose}
      endCompose={list.endCompose}
    />
  )
}
