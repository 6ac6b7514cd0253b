import { useInfiniteQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { useState } from 'react'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { importCheckTexts as texts } from '../../../texts/en/import-check-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { type RowFilter, rowsQuery } from '../import-api.ts'
import styles from '../imports.module.css'
import { describeMessage, groupByReason, type Reason, type RowMessage } from '../model/reasons.ts'
import type { ImportRow } from '../model/types.ts'
import type { Wizard } from '../wizard/wizard-model.ts'
import own from './check.module.css'
import { ErrorsButton } from './errors-button.tsx'
import { RowTable } from './row-table.tsx'

type RowsProps = { wizard: Wizard; outcome: RowFilter; label: string; count: number; run: string }

/** The rows of one outcome and, if they have reasons, how often each of them occurs. */
export function OutcomeRows({ wizard, outcome, label, count, run }: RowsProps) {
  const { type, file, fields } = wizard
  const [chosen, setChosen] = useState<string>()
  const query = useInfiniteQuery({ ...rowsQuery(type, file.id, outcome, run), enabled: count > 0 })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  if (count === 0) return <p className={styles.note}>{texts.noRows}</p>
  if (error && !data) return <ProblemState error={error} part={texts.rows} retry={() => void refetch()} />
  if (!data) return <Skeleton rows={8} />
  const messagesOf = messagesOfOutcome(outcome)
  const describe = (message: RowMessage) => (outcome === 'kept' ? message.message : describeMessage(message, fields))
  const rows = data.pages.flatMap(({ items }) => items)
  const hasReasons = outcome === 'failed' || outcome === 'skipped' || outcome === 'warnings' || outcome === 'kept'
  const reasons = hasReasons ? groupByReason(rows, messagesOf, describe) : []
  const reason = reasons.find(({ key }) => key === chosen)
  const table = (
    <RowTable
      key={chosen}
      wizard={wizard}
      title={reason?.label ?? label}
      count={reason ? reason.rows.length : count}
      rows={reason?.rows ?? rows}
      messagesOf={messagesOf}
      describe={describe}
      isProblem={outcome === 'failed'}
      more={{ has: hasNextPage, isPending: isFetchingNextPage, load: () => void fetchNextPage() }}
      actions={outcome === 'failed' && <ErrorsButton type={type} file={file} />}
    />
  )
  if (!hasReasons) return table
  return (
    <div className={own.split}>
      <Reasons
        title={texts.why[outcome]}
        color={own[outcome]!}
        rows={rows}
        isCapped={hasNextPage}
        reasons={reasons}
        chosen={reason?.key}
        choose={setChosen}
        tip={outcome === 'failed' ? texts.fixInFile : undefined}
      />
      {table}
    </div>
  )
}

function messagesOfOutcome(outcome: RowFilter): (row: ImportRow) => readonly RowMessage[] {
  if (outcome === 'kept') return listKeptMessages
  return outcome === 'failed' ? ({ errors }) => errors : ({ warnings }) => warnings
}

const listKeptMessages = ({ kept_reason: reason }: ImportRow): RowMessage[] =>
  reason ? [{ column: null, field: null, code: reason, message: texts.kept[reason] }] : []

type ReasonsProps = {
  title: string
  color: string
  rows: readonly ImportRow[]
  isCapped: boolean
  reasons: readonly Reason[]
  chosen: string | undefined
  choose: (key: string | undefined) => void
  tip: string | undefined
}

function Reasons({ title, color, rows, isCapped, reasons, chosen, choose, tip }: ReasonsProps) {
  const { locale } = useMe()
  const bars = [{ key: undefined, label: texts.allReasons, rows }, ...reasons]
  return (
    <section className={styles.card}>
      <h2>{title}</h2>
      {isCapped && <p className={styles.note}>{texts.ofFirst(formatNumber(rows.length, locale))}</p>}
      <ul className={own.reasons}>
        {bars.map((bar) => (
          <li key={bar.key ?? 'all'}>
            <button type="button" aria-pressed={bar.key === chosen} onClick={() => choose(bar.key)}>
              <span>
                {bar.label}
                <i className={own.bar}>
                  <i className={color} style={{ width: `${(bar.rows.length / rows.length) * 100}%` }} />
                </i>
              </span>
              <b>{formatNumber(bar.rows.length, locale)}</b>
            </button>
          </li>
        ))}
      </ul>
      {tip && (
        <p className={own.tip}>
          <Info size={15} aria-hidden="true" />
          {tip}
        </p>
      )}
    </section>
  )
}
