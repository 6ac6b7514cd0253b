import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useMemo } from 'react'
import { DataGrid } from '../../../patterns/grid/data-grid.tsx'
import type { Column } from '../../../patterns/grid/grid-model.ts'
import { useListCommands } from '../../../patterns/grid/use-list-commands.ts'
import { ProblemState, Skeleton, State } from '../../../patterns/states.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { useMe } from '../../../session/me.ts'
import { importTexts } from '../../../texts/en/import-texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { formatNumber, formatSince } from '../../../ui/format.ts'
import { importsQuery } from '../import-api.ts'
import { mergeImports } from '../model/merge-imports.ts'
import { type ListedImport, type RecordType, typeOf } from '../model/types.ts'
import { stateOfImport } from '../wizard/describe-state.ts'
import styles from './history.module.css'

const texts = importTexts.history
const marginRows = 20

type ListProps = {
  types: readonly RecordType[]
  kind: RecordType | undefined
  start: (() => void) | undefined
  isOwnOnly: boolean
}

/** The imports of leads and contacts in one list. Further ones are loaded as it is scrolled. */
export function ImportList({ types, kind, start, isOwnOnly }: ListProps) {
  const navigate = useNavigate()
  const leads = useInfiniteQuery({ ...importsQuery('leads'), enabled: types.includes('leads') })
  const contacts = useInfiniteQuery({ ...importsQuery('contacts'), enabled: types.includes('contacts') })
  const shown = [leads, contacts].filter((_, at) => {
    const type = at === 0 ? 'leads' : 'contacts'
    return types.includes(type) && (!kind || kind === type)
  })
  const failed = shown.find(({ error, data }) => error && !data)
  const isPending = shown.some(({ data }) => !data)
  const rows = mergeImports(
    shown.map(({ data, hasNextPage }) => ({
      items: data?.pages.flatMap(({ items }) => items) ?? [],
      hasMore: hasNextPage,
    })),
  )
  const open = (row: ListedImport | undefined) =>
    row &&
    void navigate({ to: '/imports/$type/$importId', params: { type: typeOf(row), importId: row.id }, search: {} })
  const cursor = useListCommands({
    rows: {
      name: `imports ${kind ?? ''}`,
      rowCount: rows.length,
      getRow: (index) => rows[index],
      findIndex: (id) => rows.findIndex((row) => row.id === id),
      isRefreshing: false,
      isExact: true,
      count: async () => rows.length,
    },
    open: (index) => open(rows[index]),
    close: () => {},
    isPanelOpen: false,
  })
  const columns = useColumns()
  if (failed) return <ProblemState error={failed.error} part={texts.part} retry={() => void failed.refetch()} />
  if (isPending) return <Skeleton rows={12} />
  if (rows.length === 0)
    return (
      <State
        icon={<FileUp size={20} />}
        hue="info"
        title={texts.empty}
        actions={
          start && (
            <Button variant="primary" onClick={start}>
              {texts.new}
            </Button>
          )
        }
      >
        {texts.emptyText}
      </State>
    )
  const loadMore = (_: number, end: number) => {
    if (end + marginRows < rows.length) return
    for (const list of shown) if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  }
  return (
    <div className={styles.list}>
      <DataGrid
        key={kind}
        label={texts.list}
        columns={columns}
        rowCount={rows.length}
        getRow={(index) => rows[index]}
        renderCard={(row) => <ImportCard row={row} />}
        nameOf={({ filename }) => filename}
        cursor={cursor}
        open={open}
        showRows={loadMore}
      />
      {isOwnOnly && <p className={styles.hint}>{texts.ownHint}</p>}
    </div>
  )
}

function useColumns(): readonly Column<ListedImport>[] {
  const { locale } = useMe()
  const now = useNow()
  return useMemo(
    () => [
      {
        key: 'file',
        label: texts.columns.file,
        width: 'minmax(180px, 2fr)',
        render: ({ filename }) => <b className={styles.name}>{filename}</b>,
      },
      {
        key: 'kind',
        label: texts.columns.kind,
        width: '110px',
        minListWidth: 700,
        render: (row) => importTexts.kinds[typeOf(row)],
      },
      {
        key: 'state',
        label: texts.columns.state,
        width: '284px',
        render: (row) => <Badge {...stateOfImport(row)} />,
      },
      {
        key: 'rows',
        label: texts.columns.rows,
        width: '90px',
        align: 'end',
        render: ({ row_count }) => formatNumber(row_count, locale),
      },
      {
        key: 'result',
        label: texts.columns.result,
        width: 'minmax(180px, 1.4fr)',
        minListWidth: 860,
        render: (row) => <span className={styles.muted}>{describeResult(row, locale)}</span>,
      },
      {
        key: 'when',
        label: texts.columns.when,
        width: '110px',
        minListWidth: 620,
        render: ({ created_at }) => <span className={styles.muted}>{formatSince(created_at, now, locale)}</span>,
      },
    ],
    [locale, now],
  )
}

function ImportCard({ row }: { row: ListedImport }) {
  const { locale } = useMe()
  const now = useNow()
  return (
    <div className={styles.card}>
      <b className={styles.name}>{row.filename}</b>
      <Badge {...stateOfImport(row)} />
      <span className={styles.facts}>
        {importTexts.kinds[typeOf(row)]} · {describeResult(row, locale) || formatNumber(row.row_count, locale)}
      </span>
      <span className={styles.muted}>{formatSince(row.created_at, now, locale)}</span>
    </div>
  )
}

function describeResult({ state, created, updated, failed, undone, kept }: ListedImport, locale: string): string {
  const number = (value: number) => formatNumber(value, locale)
  if (state === 'undone') return texts.undone(number(undone), number(kept))
  const hasRun = ['running', 'completed', 'failed', 'cancelled', 'undoing'].includes(state)
  return hasRun ? texts.counts(number(created), number(updated), number(failed)) : ''
}
