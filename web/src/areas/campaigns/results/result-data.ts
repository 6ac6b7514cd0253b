import type { ChartData } from '../../../charts/chart-model.ts'
import { campaignResultTexts } from '../../../texts/en/campaign-result-texts.ts'
import { formatDate, formatMoney, formatNumber } from '../../../ui/format.ts'
import type { Kpis } from '../campaign-queries.ts'
import { models } from '../campaign-search.ts'
import { formatFactor, formatRate } from '../campaign-words.ts'

export type ResultChart = { data: ChartData; finding: string }

/** Compares what was won and what is open by the models of attribution. */
export function describeModels({ attribution, roi }: Kpis, locale: string): ResultChart {
  const texts = campaignResultTexts.models
  const { currency } = attribution.linear.won_amount
  const format = (value: number) => formatMoney({ amount: String(value), currency }, locale)
  const won = models.map((model) => Number(attribution[model].won_amount.amount))
  const [lowest, highest] = [Math.min(...won), Math.max(...won)]
  const finding = lowest === highest ? texts.same(format(lowest)) : texts.range(format(lowest), format(highest))
  return {
    data: {
      rowTitle: texts.rows,
      noteTitle: roi ? texts.note : undefined,
      series: [
        { key: 'won', label: texts.series.won, tone: 'first' },
        { key: 'open', label: texts.series.open, tone: 'second' },
      ],
      rows: models.map((model) => ({
        key: model,
        label: texts.names[model],
        values: [Number(attribution[model].won_amount.amount), Number(attribution[model].open_amount.amount)],
        note: roi ? texts.return(formatFactor(roi[model], locale)) : undefined,
        isEmphasized: model === 'linear',
      })),
      format,
    },
    finding: `${finding} ${texts.shared}`,
  }
}

const steps = ['people', 'responded', 'mql', 'sql', 'won'] as const

/** Counts people by step. A step can be larger than the one before, because each is counted on its own. */
export function describeFunnel(kpis: Kpis, locale: string, hasDeals: boolean): ResultChart {
  const texts = campaignResultTexts.funnel
  const { members, responded, mqls, sqls, opportunities } = kpis
  const counts = [members, responded, mqls, sqls, opportunities.won]
  const rows = steps.map((step, at) => {
    const before = counts[at - 1] ?? 0
    return {
      key: step,
      label: texts.steps[step],
      values: [counts[at]!],
      isClosed: step === 'mql' || step === 'sql' || (step === 'won' && !hasDeals),
      note: before > 0 ? formatRate(counts[at]! / before, locale) : undefined,
    }
  })
  return {
    data: {
      rowTitle: texts.rows,
      noteTitle: texts.note,
      series: [{ key: 'count', label: texts.series, tone: 'first' }],
      rows,
      format: (value) => formatNumber(value, locale),
    },
    finding: describeLoss(counts, locale),
  }
}

function describeLoss(counts: readonly number[], locale: string): string {
  const texts = campaignResultTexts.funnel
  const losses = counts.slice(1).map((count, at) => counts[at]! - count)
  const most = Math.max(...losses)
  if (most <= 0) return texts.noLoss
  const at = losses.indexOf(most)
  const nameOf = (step: number) => texts.steps[steps[step]!]
  return texts.finding(formatNumber(most, locale), formatNumber(counts[at]!, locale), nameOf(at), nameOf(at + 1))
}

const leastWeeks = 6
const dayMs = 24 * 60 * 60 * 1_000

/** The days of a week, as filters of lists have them. */
export const periodOfWeek = (monday: string): string =>
  `${monday}..${new Date(Date.parse(monday) + 6 * dayMs).toISOString().slice(0, 10)}`

/** The weeks since the first person was added, at least six. The last one is the current week. */
export function describeWeeks({ by_week: all }: Pick<Kpis, 'by_week'>, locale: string): ResultChart {
  const texts = campaignResultTexts.weeks
  const first = all.findIndex(({ added, responded }) => added > 0 || responded > 0)
  const weeks = all.slice(Math.max(0, Math.min(first < 0 ? all.length : first, all.length - leastWeeks)))
  const most = (name: 'added' | 'responded') =>
    weeks.reduce((best, week) => (week[name] > best[name] ? week : best), weeks[0]!)
  const [added, responded] = [most('added'), most('responded')]
  const day = (week: (typeof weeks)[number]) => formatDate(week.bucket_on, locale)
  const findings = [
    added.added > 0 ? texts.finding(day(added), formatNumber(added.added, locale)) : texts.none,
    responded.responded > 0 && texts.findingResponded(day(responded), formatNumber(responded.responded, locale)),
  ]
  return {
    data: {
      rowTitle: texts.rows,
      series: [
        { key: 'added', label: texts.series.added, tone: 'neutral' },
        { key: 'responded', label: texts.series.responded, tone: 'first' },
      ],
      rows: weeks.map((week, at) => ({
        key: week.bucket_on,
        label: day(week),
        values: [week.added, week.responded],
        isUnfinished: at === weeks.length - 1,
      })),
      format: (value) => formatNumber(value, locale),
    },
    finding: findings.filter(Boolean).join(' '),
  }
}
