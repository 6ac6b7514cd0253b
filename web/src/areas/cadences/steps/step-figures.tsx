import { formatShare } from '../../../patterns/amounts.ts'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import type { CadenceStats } from '../cadence-queries.ts'
import type { StepValues } from './step-model.ts'
import styles from './steps.module.css'

type StepStats = CadenceStats['steps'][number]
type Figure = { name: string; value: string; count?: string; isGood?: boolean }

const unknown = '–'

const toFigure = (name: string, rate: number | null | undefined, locale: string): Figure => ({
  name,
  value: rate === null || rate === undefined ? unknown : formatShare(rate, locale),
})

export function toFigures(stats: StepStats | undefined, { type }: StepValues, locale: string): Figure[] {
  const number = (value: number | undefined) => (value === undefined ? unknown : formatNumber(value, locale))
  const isSent = type === 'email_auto'
  const { waiting, sent, tasks_done, replied, reply_rate, bounce_rate } = stats ?? {}
  const hasReplies = isSent && (replied ?? 0) > 0
  return [
    { name: texts.columns.waiting, value: number(waiting) },
    { name: texts.columns.done, value: number(isSent ? sent : tasks_done) },
    {
      ...toFigure(texts.columns.replied, isSent ? reply_rate : null, locale),
      ...(hasReplies && { count: number(replied), isGood: true }),
    },
    toFigure(texts.columns.bounced, isSent ? bounce_rate : null, locale),
  ]
}

export function totalFigures({ totals, steps }: CadenceStats, locale: string): Figure[] {
  const { active, paused, tasks_done, sent, replied, delivered, bounce_rate } = totals
  const number = (value: number) => formatNumber(value, locale)
  const hasReplies = replied > 0
  return [
    { name: texts.columns.waiting, value: number(steps.length ? active + paused : 0) },
    { name: texts.columns.done, value: number(sent + tasks_done) },
    {
      ...toFigure(texts.columns.replied, delivered > 0 ? replied / delivered : null, locale),
      ...(hasReplies && { count: number(replied), isGood: true }),
    },
    toFigure(texts.columns.bounced, bounce_rate, locale),
  ]
}

export const StepFigures = ({ figures }: { figures: readonly Figure[] }) => (
  <span className={styles.figures}>
    {figures.map(({ name, value, count, isGood }) => (
      <span key={name}>
        <span className="visually-hidden">{name} </span>
        <span className={styles.name} aria-hidden="true">
          {name}
        </span>
        <b className={isGood ? styles.good : undefined}>{value}</b>
        {count && <small> {count}</small>}
      </span>
    ))}
  </span>
)
