import { ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { ProblemState, Skeleton, State } from '../../patterns/states.tsx'
import { useCommands } from '../../session/commands.ts'
import { isManagerOrAdmin, useMe } from '../../session/me.ts'
import { trashTexts as texts } from '../../texts/en/trash-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { formatNumber } from '../../ui/format.ts'
import styles from './trash.module.css'
import { type DeletedRecord, useDeletedRecords } from './trash-queries.ts'
import { TrashRow } from './trash-row.tsx'
import type { Kind } from './trash-search.ts'
import { useRestore } from './use-restore.ts'

export function TrashList({ kind, canRestore }: { kind: Kind; canRestore: boolean }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useDeletedRecords(kind)
  if (error && !data) return <ProblemState error={error} part={texts.list} retry={() => void refetch()} />
  if (!data) return <Skeleton rows={10} />
  const records = data.pages.flatMap(({ items }) => items)
  if (records.length === 0)
    return (
      <State icon={<Trash2 size={20} />} hue="info" title={texts.empty(texts.kinds[kind])}>
        {texts.emptyText}
      </State>
    )
  return (
    <div className={styles.page}>
      <Records kind={kind} records={records} canRestore={canRestore} />
      {hasNextPage && (
        <Button variant="quiet" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
    </div>
  )
}

type RecordsProps = { kind: Kind; records: readonly DeletedRecord[]; canRestore: boolean }

function Records({ kind, records, canRestore }: RecordsProps) {
  const me = useMe()
  const { locale } = me
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const { reasons, isPending, restore } = useRestore(kind, locale)
  const chosen = records.filter(({ id }) => selected.has(id))
  const hasAll = chosen.length === records.length
  const selectAll = () => setSelected(new Set(hasAll ? [] : records.map(({ id }) => id)))
  const toggle = (id: string) => setSelected(selected.symmetricDifference(new Set([id])))
  const restoreChosen = () => {
    restore(chosen)
    setSelected(new Set())
  }
  const restoreText = texts.restoreSelected(chosen.length, formatNumber(chosen.length, locale))
  useCommands([
    {
      id: 'trash:all',
      label: texts.selectAll,
      group: texts.group,
      keys: ['Mod+a'],
      isAvailable: canRestore,
      run: selectAll,
    },
    {
      id: 'trash:restore',
      label: restoreText,
      group: texts.group,
      icon: <ArchiveRestore size={17} />,
      isAvailable: canRestore && chosen.length > 0 && !isPending,
      run: restoreChosen,
    },
  ])
  return (
    <>
      <div className={styles.bar}>
        {canRestore && <Checkbox label={texts.selectAll} checked={hasAll} onChange={selectAll} />}
        <p>{isManagerOrAdmin(me) ? texts.hint : texts.ownHint}</p>
        {chosen.length > 0 && (
          <Button variant="primary" size="small" disabled={isPending} onClick={restoreChosen}>
            {restoreText}
          </Button>
        )}
      </div>
      <ul className={styles.list} aria-label={texts.list}>
        {records.map((record) => (
          <TrashRow
            key={record.id}
            record={record}
            reason={reasons[record.id]}
            isSelected={selected.has(record.id)}
            canRestore={canRestore}
            isPending={isPending}
            toggle={() => toggle(record.id)}
            restore={() => restore([record])}
          />
        ))}
      </ul>
    </>
  )
}
