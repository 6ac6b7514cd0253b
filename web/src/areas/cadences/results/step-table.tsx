import { useMe } from '../../../session/me.ts'
import { cadenceResultTexts as texts } from '../../../texts/en/cadence-result-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import type { Cadence, CadenceStats } from '../cadence-queries.ts'
import { titleOf } from '../steps/step-words.ts'
import styles from './results.module.css'

type StepStats = CadenceStats['steps'][number]

/** All numbers of each step. Steps that were removed come last. */
export function StepTable({ stats, cadence }: { stats: CadenceStats; cadence: Cadence }) {
  const { locale } = useMe()
  const { track_opens: hasOpens, track_clicks: hasClicks, steps } = cadence
  const { columns } = texts
  const rows = stats.steps.toSorted((one, other) => (one.position ?? 99) - (other.position ?? 99))
  const number = (value: number | null) => (value === null ? '–' : formatNumber(value, locale))
  const ofEmail = ({ type }: StepStats, value: number | null) => (type === 'email_auto' ? number(value) : '–')
  const titleOfRow = ({ step_id: id, position }: StepStats) => {
    const step = steps.find((one) => one.id === id)
    return step ? `${position} ${titleOf(step)}` : texts.removedStep
  }
  return (
    <section className={styles.card} aria-label={texts.perStep}>
      <header>
        <h2>{texts.perStep}</h2>
        <span>{[!hasOpens && texts.notTracked, !hasClicks && texts.noClicks].filter(Boolean).join(', ')}</span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls is reached by keyboard */}
      <div className={styles.scroll} tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th>{columns.step}</th>
              <th>{columns.waiting}</th>
              <th>{columns.sent}</th>
              {hasOpens && <th>{columns.opened}</th>}
              {hasClicks && <th>{columns.clicked}</th>}
              <th>{columns.replied}</th>
              <th>{columns.bounced}</th>
              <th>{columns.tasks}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.step_id}>
                <th scope="row">{titleOfRow(row)}</th>
                <td>{number(row.waiting)}</td>
                <td>{ofEmail(row, row.sent)}</td>
                {hasOpens && <td>{ofEmail(row, row.opened)}</td>}
                {hasClicks && <td>{ofEmail(row, row.clicked)}</td>}
                <td>{ofEmail(row, row.replied)}</td>
                <td>{ofEmail(row, row.bounced)}</td>
                <td>{row.type === 'email_auto' ? '–' : `${number(row.tasks_done)}, ${number(row.tasks_skipped)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
