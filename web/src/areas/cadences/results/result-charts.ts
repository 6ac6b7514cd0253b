import type { ChartData } from '../../../charts/chart-model.ts'
import type { TileProps } from '../../../charts/tile.tsx'
import { formatShare } from '../../../patterns/amounts.ts'
import { cadenceResultTexts as texts } from '../../../texts/en/cadence-result-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import type { CadenceStats } from '../cadence-queries.ts'

type Totals = CadenceStats['totals']
export type EndReason = 'completed' | keyof Totals['exited_by_reason']

/** The six figures of a cadence. Unknown rates have no value. */
export function listTiles(totals: Totals, locale: string): TileProps[] {
  const format = (value: number) => formatNumber(value, locale)
  const share = (value: number | null) => (value === null ? null : formatShare(value, locale))
  const { active, paused, completed, exited, sent, delivered, bounced, persons_delivered: reached } = totals
  const ofPeople = (part: number) => texts.ofPeople(format(part), reached, format(reached))
  return [
    {
      label: texts.tiles.enrolled,
      value: format(totals.enrolled),
      note: texts.waiting(format(active + paused), format(completed + exited)),
    },
    { label: texts.tiles.sent, value: format(sent), note: texts.delivered(delivered, format(delivered)) },
    {
      label: texts.tiles.replied,
      value: share(totals.reply_rate),
      note: ofPeople(totals.persons_replied),
      ...(totals.persons_replied > 0 && { tone: 'good' as const }),
    },
    {
      label: texts.tiles.bounced,
      value: share(totals.bounce_rate),
      note: texts.ofEmails(format(bounced), sent, format(sent)),
      ...(bounced > 0 && { tone: 'bad' as const }),
    },
    { label: texts.tiles.optedOut, value: share(totals.opt_out_rate), note: ofPeople(totals.opted_out) },
    {
      label: texts.tiles.tasks,
      value: format(totals.tasks_done),
      note: texts.skipped(format(totals.tasks_skipped)),
    },
  ]
}

/** The reply rate of each automatic email. Steps by hand have none. */
export function toReplies({ steps }: CadenceStats, locale: string): ChartData & { finding: string } {
  const emails = steps.filter(({ type, position }) => type === 'email_auto' && position !== null)
  const format = (percent: number) => formatShare(percent / 100, locale)
  const [best] = emails.toSorted((one, other) => (other.reply_rate ?? 0) - (one.reply_rate ?? 0))
  return {
    rowTitle: texts.columns.step,
    noteTitle: texts.columns.replied,
    series: [{ key: 'replied', label: texts.replyRate, tone: 'first' }],
    rows: emails.map(({ step_id: key, position, reply_rate, replied, delivered }) => ({
      key,
      label: texts.emailOf(position!),
      values: [reply_rate === null ? null : reply_rate * 100],
      note: texts.repliedOf(formatNumber(replied, locale), formatNumber(delivered, locale)),
    })),
    format,
    finding: best?.reply_rate ? texts.bestStep(best.position!, format(best.reply_rate * 100)) : texts.noReplies,
  }
}

/** The number of people who left the cadence in each way, the most frequent first. */
export function toEnds({ completed, exited_by_reason }: Totals, locale: string): ChartData & { finding: string } {
  const reasons = Object.entries({ completed, ...exited_by_reason }) as [EndReason, number][]
  const ends = reasons.filter(([, count]) => count > 0).toSorted(([, one], [, other]) => other - one)
  const [first] = ends
  const sum = ends.reduce((total, [, count]) => total + count, 0)
  return {
    rowTitle: texts.columns.reason,
    series: [{ key: 'people', label: texts.columns.people, tone: 'first' }],
    rows: ends.map(([reason, count]) => ({ key: reason, label: texts.reasons[reason], values: [count] })),
    format: (value) => formatNumber(value, locale),
    finding: first
      ? texts.mostEnd(texts.reasons[first[0]], formatNumber(first[1], locale), formatNumber(sum, locale))
      : texts.noEnds,
  }
}
