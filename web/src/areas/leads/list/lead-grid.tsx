import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DataGrid } from '../../../patterns/grid/data-grid.tsx'
import type { Selection } from '../../../patterns/grid/grid-model.ts'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { nameOfLead } from '../lead-names.ts'
import { sourcesQuery } from '../lead-queries.ts'
import { labelOfSource } from '../source-labels.ts'
import { LeadCard } from './lead-card.tsx'
import { leadColumns, parseColumns } from './lead-columns.tsx'
import { EmptyList } from './list-states.tsx'
import type { LeadList } from './use-lead-list.ts'

type LeadGridProps = {
  list: LeadList
  activeIndex: number
  setActive: (index: number) => void
  selection: Selection | undefined
  create: () => void
}

/** The rows of the list, or what is shown instead of them. */
export function LeadGrid({ list, activeIndex, setActive, selection, create }: LeadGridProps) {
  const { me, search, pages, sort, setSort, now } = list
  const keys = parseColumns(search.columns)
  const sources = useQuery({ ...sourcesQuery, enabled: keys.includes('source') }).data
  const columns = useMemo(
    () =>
      leadColumns({
        keys: parseColumns(search.columns),
        now,
        locale: me.locale,
        sort,
        setSort,
        sourceLabel: (key) => labelOfSource(sources, key),
      }),
    [search.columns, now, me.locale, sort, setSort, sources],
  )
  if (pages.error) return <ProblemState error={pages.error} part={leadTexts.list} retry={pages.retry} />
  if (pages.isPending) return <Skeleton rows={16} />
  if (pages.rowCount === 0) return <EmptyList list={list} create={create} />
  return (
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
      selection={selection}
      setActive={setActive}
      open={(lead) => list.open(lead.id)}
      showRows={pages.showRows}
    />
  )
}
