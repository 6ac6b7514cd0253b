import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { KeyHint } from '../../../patterns/list/list-foot.tsx'
import { ListPage, type ListSlot } from '../../../patterns/list/list-page.tsx'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { useIdle } from '../../../patterns/use-idle.ts'
import { can, useMe } from '../../../session/me.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useBulkCommands } from '../bulk/bulk-commands.ts'
import type { LeadRow } from '../lead-queries.ts'
import { hasFigures } from '../lead-search.ts'
import { LeadCard } from './lead-card.tsx'
import { LeadPanel, OpenPanel } from './open-panel.tsx'
import { RowAction, RowCommands } from './row-commands.tsx'
import { type LeadList, useLeadList, useViewCounts } from './use-lead-list.ts'

const LeadFiles = lazyPart(() => import('../files/lead-files.tsx'), 'LeadFiles')
const CreateDialog = lazyPart(() => import('../create/create-dialog.tsx'), 'CreateDialog')
const LeadFigures = lazyPart(() => import('./lead-figures.tsx'), 'LeadFigures')
const LeadBulkActions = lazyPart(() => import('../bulk/bulk-actions.tsx'), 'LeadBulkActions')
const EmptyLeads = lazyPart(() => import('./list-states.tsx'), 'EmptyLeads')

export function LeadsPage() {
  const me = useMe()
  return can(me, 'leads.read') ? <LeadListPage /> : <NoPermissionPage area={leadTexts.area} scope="leads.read" />
}

function LeadListPage() {
  const list = useLeadList()
  const navigate = useNavigate()
  const canEdit = can(list.me, 'leads.write')
  const [isCreating, setCreating] = useState(false)
  useIdle(
    () =>
      void Promise.allSettled([
        LeadPanel.load(),
        EmptyLeads.load(),
        ...(canEdit ? [LeadBulkActions.load(), RowAction.load()] : []),
      ]),
  )
  return (
    <>
      <ListPage
        list={list}
        counts={useViewCounts(list)}
        create={canEdit ? () => setCreating(true) : undefined}
        actions={canEdit && <LeadFiles list={list} />}
        figures={hasFigures(list.filters) && <LeadFigures list={list} />}
        hints={canEdit && <EditHints />}
        openPage={({ id }) => void navigate({ to: '/leads/$leadId', params: { leadId: id }, search: {} })}
        renderCard={(lead) => <LeadCard lead={lead} now={list.now} />}
        renderEmpty={(slot) => <EmptyLeads {...slot} />}
        renderBulk={canEdit ? (slot) => <Bulk list={list} {...slot} /> : undefined}
        renderPanel={(slot) => <OpenPanel list={list} {...slot} />}
        renderCommands={canEdit ? ({ activeRow }) => <RowCommands row={activeRow} open={list.open} /> : undefined}
      />
      {isCreating && <CreateDialog open={list.open} close={() => setCreating(false)} />}
    </>
  )
}

const EditHints = () => (
  <>
    <KeyHint keys="x">{listTexts.foot.select}</KeyHint>
    <KeyHint keys="1" to="6">
      {leadTexts.setStatus}
    </KeyHint>
  </>
)

/** The bar is loaded with the first selection. It stays, because what it has started may still be reported. */
function Bulk({ list, chosen }: { list: LeadList } & ListSlot<LeadRow>) {
  const asking = useBulkCommands(chosen.count)
  const [hasSelected, setHasSelected] = useState(false)
  if (chosen.count > 0 && !hasSelected) setHasSelected(true)
  return hasSelected && <LeadBulkActions list={list} chosen={chosen} {...asking} />
}
