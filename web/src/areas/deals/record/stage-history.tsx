import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { formatDateTime, formatDuration } from '../../../ui/format.ts'
import { historyQuery } from '../deal-queries.ts'
import styles from './deal-record.module.css'

type Stage = { key: string; label: string }

/** The stages that a deal went through. They are loaded when the user opens the list. */
export function StageHistory({ dealId, stages, locale }: { dealId: string; stages: readonly Stage[]; locale: string }) {
  const [isOpen, setOpen] = useState(false)
  const history = useQuery({ ...historyQuery(dealId), enabled: isOpen })
  const labelOf = (key: string) => stages.find((stage) => stage.key === key)?.label ?? key
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
              {from_key === null ? dealTexts.startedIn(labelOf(to_key)) : `${labelOf(from_key)} → ${labelOf(to_key)}`}
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
