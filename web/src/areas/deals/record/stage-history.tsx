import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { formatDateTime, formatDuration } from '../../../ui/format.ts'
import { historyQuery } from '../deal-queries.ts'
import styles from './deal-record.module.css'

type Stage = { key: string; label: string }

const labelOf = (stages: readonly Stage[], key: unknown): string =>
  stages.find((stage) => stage.key === key)?.label ?? String(key)

export const describeStageChange = ({ from, to }: Record<string, unknown>, stages: readonly Stage[]): string =>
  `${labelOf(stages, from)} → ${labelOf(stages, to)}`

/** The stages that a deal went through. They are loaded when the user opens the list. */
export function StageHistory({ dealId, stages, locale }: { dealId: string; stages: readonly Stage[]; locale: string }) {
  const [isOpen, setOpen] = useState(false)
  const history = useQuery({ ...historyQuery(dealId), enabled: isOpen })
  return (
    <details className={styles.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{dealTexts.history}</summary>
      {history.error && (
        <ProblemState error={history.error} part={dealTexts.history} retry={() => void history.refetch()} />
      )}
      {isOpen && history.isPending && <Skeleton rows={2} />}
      <ol>
        {history.data?.items.map(({ id, from_key, to_key, at, changed_by, seconds_in_previous }) => (
          <li key={id} className={styles.change}>
            <span>
              {from_key === null
                ? dealTexts.startedIn(labelOf(stages, to_key))
                : describeStageChange({ from: from_key, to: to_key }, stages)}
            </span>
            <small>
              {formatDateTime(at, locale)}
              {changed_by && ` · ${changed_by.name}`}
              {seconds_in_previous !== null && ` · ${dealTexts.after(formatDuration(seconds_in_previous * 1_000))}`}
            </small>
          </li>
        ))}
      </ol>
    </details>
  )
}
