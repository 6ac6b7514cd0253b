import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useListCommands } from '../../../patterns/grid/use-list-commands.ts'
import { useSelection } from '../../../patterns/grid/use-selection.ts'
import { PageBar } from '../../../patterns/page-header.tsx'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { useIdle } from '../../../patterns/use-idle.ts'
import { useNarrow, useSmall } from '../../../patterns/use-narrow.ts'
import { useCommands } from '../../../session/commands.ts'
import { can, useMe } from '../../../session/me.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useBulkCommands } from '../bulk/bulk-commands.ts'
import { hasFigures } from '../lead-search.ts'
import { toListFilters } from '../list-query.ts'
import { FilterBar } from './filter-bar.tsx'
import { EmptyList, LeadGrid } from './lead-grid.tsx'
import styles from './list.module.css'
import { ListFoot } from './list-foot.tsx'
import { ListHeader } from './list-header.tsx'
import { sortCommands } from './list-sorts.ts'
import { LeadPanel, OpenPanel } from './open-panel.tsx'
import { RowAction, RowCommands } from './row-commands.tsx'
import { useLeadList } from './use-lead-list.ts'

const CreateDialog = lazyPart(() => import('../create/create-dialog.tsx'), 'CreateDialog')
const LeadFigures = lazyPart(() => import('./lead-figures.tsx'), 'LeadFigures')
const BulkActions = lazyPart(() => import('../bulk/bulk-actions.tsx'), 'BulkActions')

export function LeadsPage() {
  const me = useMe()
  return can(me, 'leads.read') ? <LeadList /> : <NoPermissionPage area={leadTexts.area} scope="leads.read" />
}

function LeadList() {
  const list = useLeadList()
  const { me, search, pages, query, filters, today } = list
  const navigate = useNavigate()
  const isNarrow = useNarrow()
  // On a small screen the panel covers the list.
  const isCovered = useSmall() && search.open !== undefined
  const canEdit = can(me, 'leads.write')
  const areFiguresShown = hasFigures(filters)
  const searchField = useRef<HTMLInputElement>(null)
  const [isCreating, setCreating] = useState(false)
  const chosen = useSelection({ name: list.name, getRow: pages.getRow, loaded: pages.loaded })
  const asking = useBulkCommands(chosen.count)
  const [hasSelected, setHasSelected] = useState(false)
  if (chosen.count > 0 && !hasSelected) setHasSelected(true)

  const openAt = (index: number) => {
    const row = pages.getRow(index)
    if (row) list.open(row.id)
  }
  const openIndex = search.open ? pages.findIndex(search.open) : -1
  const cursor = useListCommands({
    rows: pages,
    open: openAt,
    openPage: (index) => {
      const row = pages.getRow(index)
      if (row) void navigate({ to: '/leads/$leadId', params: { leadId: row.id }, search: {} })
    },
    close: () => (search.open ? list.close() : chosen.clear()),
    isPanelOpen: search.open !== undefined,
    isOpenRowGone: search.open !== undefined && openIndex < 0,
    ...(canEdit && { toggle: chosen.toggle, toggleRange: chosen.toggleRange }),
  })
  useEffect(() => {
    if (openIndex >= 0) cursor.set(openIndex)
  }, [openIndex, cursor.set])
  useIdle(
    () =>
      void Promise.allSettled([
        LeadPanel.load(),
        EmptyList.load(),
        ...(canEdit ? [BulkActions.load(), RowAction.load()] : []),
      ]),
  )
  const create = () => setCreating(true)
  useCommands([
    {
      id: 'leads:create',
      label: leadTexts.newLead,
      group: leadTexts.title,
      keys: ['c'],
      isAvailable: canEdit,
      run: create,
    },
    {
      id: 'leads:search',
      label: leadTexts.search,
      group: leadTexts.title,
      keys: ['/'],
      run: () => searchField.current?.focus(),
    },
    {
      id: 'leads:all',
      label: leadTexts.selectAll,
      group: leadTexts.title,
      keys: ['Mod+a'],
      isAvailable: canEdit,
      run: chosen.selectLoaded,
    },
    ...sortCommands(list.setSort),
  ])
  const activeRow = search.open || chosen.count > 0 ? undefined : pages.getRow(cursor.index)
  return (
    <>
      <ListHeader list={list} create={create} />
      {(!isNarrow || areFiguresShown) && (
        <PageBar>
          {!isNarrow && <FilterBar list={list} searchField={searchField} />}
          {areFiguresShown && <LeadFigures list={list} />}
        </PageBar>
      )}
      <div className={`${styles.split} ${search.open ? styles.withPanel : ''}`}>
        <div className={`${styles.list} ${pages.isRefreshing ? styles.refreshing : ''}`} inert={isCovered}>
          <LeadGrid list={list} cursor={cursor} selection={canEdit ? chosen.selection : undefined} create={create} />
          {pages.rowCount > 0 && <ListFoot list={list} activeIndex={cursor.index} canEdit={canEdit} />}
          {hasSelected && (
            <BulkActions
              chosen={chosen}
              query={query}
              filters={toListFilters(filters, today)}
              hasMore={pages.total !== null && pages.total > chosen.ids.size}
              {...asking}
            />
          )}
        </div>
        <OpenPanel list={list} index={openIndex} openAt={openAt} />
      </div>
      {canEdit && <RowCommands row={activeRow} open={list.open} />}
      {isCreating && <CreateDialog open={list.open} close={() => setCreating(false)} />}
    </>
  )
}
