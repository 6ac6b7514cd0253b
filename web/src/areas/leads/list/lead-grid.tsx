import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DataGrid } from '../../../patterns/grid/data-grid.tsx'
import type { Selection } from '../../../patterns/grid/grid-model.ts'
import type { ListCursor } from '../../../patterns/grid/use-list-commands.ts'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { nameOfLead } from '../lead-names.ts'
import { sourcesQuery } from '../lead-queries.ts'
import { labelOfSource } from '../source-labels.ts'
import { FilterChips } from './filter-bar.tsx'
import { LeadCard } from './lead-card.tsx'
import { leadColumns, parseColumns } from './lead-columns.tsx'
import type { LeadList } from './use-lead-list.ts'

export const EmptyList = lazyPart(() => import('./list-states.tsx'), 'EmptyList')

type LeadGridProps = {
  list: LeadList
  cursor: ListCursor
  selection: Selection | undefined
  create: () => void
}

/** The rows of the list, or what is shown instead of them. */
export function LeadGrid({ list, cursor, selection, create }: LeadGridProps) {
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
  if (pages.rowCount === 0) return <EmptyList list={list} create={create} chips={<FilterChips list={list} />} />
  return (
    <DataGrid
      key={list.name}
      label={leadTexts.list}
      columns={columns}
      rowCount={pages.rowCount}
      getRow={pages.getRow}
      renderCard={(lead) => <LeadCard lead={lead} now={now} />}
      nameOf={nameOfLead}
      cursor={cursor}
      openId={search.open}
      selection={selection}
      open={(lead) => list.open(lead.id)}
      showRows={pages.showRows}
    />
  )
}
