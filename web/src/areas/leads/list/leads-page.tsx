import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { useCommands } from '../../../app/commands.ts'
import { can, useMe } from '../../../app/me.ts'
import { DataGrid } from '../../../patterns/grid/data-grid.tsx'
import { useListCommands } from '../../../patterns/grid/use-list-commands.ts'
import { useSelection } from '../../../patterns/grid/use-selection.ts'
import { PageBar } from '../../../patterns/page-header.tsx'
import { NoPermissionState, ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useNarrow, useSmall } from '../../../patterns/use-narrow.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { nameOfLead } from '../lead-names.ts'
import { sourcesQuery } from '../lead-queries.ts'
import { labelOfSource } from '../source-labels.ts'
import { FilterBar } from './filter-bar.tsx'
import { LeadCard } from './lead-card.tsx'
import { leadColumns, parseColumns } from './lead-columns.tsx'
import { LeadFigures } from './lead-figures.tsx'
import styles from './list.module.css'
import { ListFoot } from './list-foot.tsx'
import { ListHeader } from './list-header.tsx'
import { EmptyList } from './list-states.tsx'
import { OpenPanel } from './open-panel.tsx'
import { useLeadList } from './use-lead-list.ts'

export function LeadsPage() {
  const me = useMe()
  return can(me, 'leads.read') ? <LeadList /> : <NoPermissionState area={leadTexts.area} scope="leads.read" />
}

function LeadList() {
  const list = useLeadList()
  const { me, search, pages, sort, setSort, now } = list
  const isNarrow = useNarrow()
  const isSmall = useSmall()
  const canEdit = can(me, 'leads.write')
  const navigate = useNavigate()
  const searchField = useRef<HTMLInputElement>(null)
  const chosen = useSelection({ name: list.name, getRow: pages.getRow, loaded: pages.loaded })
  const keys = parseColumns(search.columns)
  const sources = useQuery({ ...sourcesQuery, enabled: keys.includes('source') }).data
  const columns = useMemo(
    () =>
      leadColumns({ keys, now, locale: me.locale, sort, setSort, sourceLabel: (key) => labelOfSource(sources, key) }),
    [keys.join(), now, me.locale, sort, setSort, sources],
  )
  const openAt = (index: number) => {
    const row = pages.getRow(index)
    if (row) list.open(row.id)
  }
  const openIndex = search.open ? pages.findIndex(search.open) : -1
  const { activeIndex, setActive } = useListCommands({
    rowCount: pages.rowCount,
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
    if (openIndex >= 0) setActive(openIndex)
  }, [openIndex, setActive])
  // On a small screen the panel covers the list.
  const isCovered = search.open !== undefined && isSmall
  const create = () => {}
  useCommands([
    {
      id: 'leads:search',
      label: leadTexts.search,
      group: leadTexts.title,
      keys: ['/'],
      run: () => searchField.current?.focus(),
    },
  ])
  return (
    <>
      <ListHeader list={list} create={create} />
      <PageBar>
        {!isNarrow && <FilterBar list={list} searchField={searchField} />}
        <LeadFigures list={list} />
      </PageBar>
      <div className={`${styles.split} ${search.open ? styles.withPanel : ''}`}>
        <div className={`${styles.list} ${pages.isRefreshing ? styles.refreshing : ''}`} inert={isCovered}>
          {pages.error ? (
            <ProblemState error={pages.error} part={leadTexts.list} retry={pages.retry} />
          ) : pages.isPending ? (
            <Skeleton rows={16} />
          ) : pages.rowCount === 0 ? (
            <EmptyList list={list} create={create} />
          ) : (
            <DataGrid
              key={list.name}
              label={leadTexts.list}
              columns={columns}
              rowCount={pages.rowCount}
              getRow={pages.getRow}
              renderCard={(lead) => <LeadCard lead={lead} now={now} />}
              nameOf={nameOfLead}
              activeIndex={activeIndex}
              openId={search.open}
              selection={canEdit ? chosen.selection : undefined}
              setActive={setActive}
              open={(lead) => list.open(lead.id)}
              showRows={pages.showRows}
            />
          )}
          <ListFoot list={list} activeIndex={activeIndex} canEdit={canEdit} />
        </div>
        <OpenPanel list={list} index={openIndex} openAt={openAt} />
      </div>
    </>
  )
}
