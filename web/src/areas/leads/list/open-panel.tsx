import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient } from '../../../api/queries.ts'
import { renderFailedPanel } from '../../../patterns/record/failed-panel.tsx'
import { useNarrow } from '../../../patterns/use-narrow.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { describeTotal } from '../describe-total.ts'
import { leadQuery } from '../lead-queries.ts'
import type { LeadList } from './use-lead-list.ts'

export const LeadPanel = lazyPart(() => import('../record/lead-panel.tsx'), 'LeadPanel', {
  waiting: <div />,
  renderFailure: renderFailedPanel,
})
const prefetchDelayMs = 300

/** The open lead beside the list. The next one is loaded in advance. */
export function OpenPanel({ list, index, openAt }: { list: LeadList; index: number; openAt: (index: number) => void }) {
  const { search, pages, me, open } = list
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  const id = search.open
  const nextId = index >= 0 ? pages.getRow(index + 1)?.id : undefined
  useEffect(() => {
    if (!id || !nextId) return
    const timer = setTimeout(() => void queryClient.prefetchQuery(leadQuery(nextId)), prefetchDelayMs)
    return () => clearTimeout(timer)
  }, [id, nextId])
  if (!id) return null
  const hasPosition = index >= 0
  return (
    <LeadPanel
      id={id}
      row={hasPosition ? pages.getRow(index) : undefined}
      position={
        hasPosition
          ? listTexts.position(formatNumber(index + 1, me.locale), describeTotal(pages, me.locale))
          : undefined
      }
      goTo={{
        previous: index > 0 ? () => openAt(index - 1) : undefined,
        next: hasPosition && index + 1 < pages.rowCount ? () => openAt(index + 1) : undefined,
      }}
      expand={isNarrow ? undefined : () => void navigate({ to: '/leads/$leadId', params: { leadId: id }, search: {} })}
      close={list.close}
      show={open}
      tab={search.tab}
      setTab={list.setTab}
      compose={search.compose}
      endCompose={list.endCompose}
    />
  )
}
