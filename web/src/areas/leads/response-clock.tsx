import { AlarmClock, Check, Timer } from 'lucide-react'
import { leadTexts } from '../../texts/en/lead-texts.ts'
import { formatDuration } from '../../ui/format.ts'
import type { LeadRow } from './lead-queries.ts'
import styles from './response-clock.module.css'

/** The time that is left for the first response, or how long it took. */
export function ResponseClock({
  lead,
  now,
}: {
  lead: Pick<LeadRow, 'first_responded_at' | 'sla_due_at' | 'created_at'>
  now: number
}) {
  const { first_responded_at: respondedAt, sla_due_at: dueAt, created_at: createdAt } = lead
  if (respondedAt)
    return (
      <span className={styles.clock}>
        <Check size={14} />
        {leadTexts.answeredIn(formatDuration(Date.parse(respondedAt) - Date.parse(createdAt)))}
      </span>
    )
  if (!dueAt) return <span className={styles.clock}>{leadTexts.notDue}</span>
  const left = Date.parse(dueAt) - now
  return left >= 0 ? (
    <span className={`${styles.clock} ${styles.due}`}>
      <Timer size={14} />
      {leadTexts.left(formatDuration(left))}
    </span>
  ) : (
    <span className={`${styles.clock} ${styles.late}`}>
      <AlarmClock size={14} />
      {leadTexts.late(formatDuration(-left))}
    </span>
  )
}
