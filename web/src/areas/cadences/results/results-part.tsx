import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChartNoAxesColumn } from 'lucide-react'
import { BarChart } from '../../../charts/bar-chart.tsx'
import { Funnel } from '../../../charts/row-bars.tsx'
import { Tiles } from '../../../charts/tile.tsx'
import { ProblemState, Skeleton, State } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { cadenceResultTexts as texts } from '../../../texts/en/cadence-result-texts.ts'
import { chartTexts } from '../../../texts/en/chart-texts.ts'
import { formatTime } from '../../../ui/format.ts'
import { type Cadence, type CadenceStats, statsQuery } from '../cadence-queries.ts'
import { listTiles, toEnds, toReplies } from './result-charts.ts'
import styles from './results.module.css'
import { StepTable } from './step-table.tsx'

/** The results of the cadence: all together, by step, and by the way in which people left it. */
export function ResultsPart({ cadence }: { cadence: Cadence }) {
  const { data, error, refetch, dataUpdatedAt } = useQuery(statsQuery(cadence.id))
  if (error && !data) return <ProblemState error={error} part={texts.results} retry={() => void refetch()} />
  if (!data) return <Skeleton rows={8} />
  if (data.totals.enrolled === 0)
    return (
      <State icon={<ChartNoAxesColumn size={20} />} hue="info" title={texts.none.title}>
        {texts.none.text}
      </State>
    )
  return <Results cadence={cadence} stats={data} readAt={dataUpdatedAt} />
}

type ResultsProps = { cadence: Cadence; stats: CadenceStats; readAt: number }

function Results({ cadence, stats, readAt }: ResultsProps) {
  const { locale, timezone } = useMe()
  const navigate = useNavigate()
  const show = (search: object) => void navigate({ to: '.', search: { tab: 'people', ...search } as never })
  const time = formatTime(new Date(readAt).toISOString(), locale)
  const period = chartTexts.asOf(texts.allTime, time, timezone.replaceAll('_', ' '))
  const { finding: replyFinding, ...replies } = toReplies(stats, locale)
  const { finding: endFinding, ...ends } = toEnds(stats.totals, locale)
  const none = (text: string) => <p className={styles.none}>{text}</p>
  return (
    <div className={styles.part}>
      <div className={styles.content}>
        <Tiles label={texts.figures} tiles={listTiles(stats.totals, locale)} />
        <div className={styles.charts}>
          <BarChart
            title={texts.replies}
            data={replies}
            finding={replyFinding}
            period={period}
            empty={replies.rows.length === 0 ? none(texts.noEmails) : undefined}
          />
          <Funnel
            title={texts.ends}
            data={ends}
            finding={endFinding}
            period={period}
            open={({ key }) => show(key === 'completed' ? { status: key } : { status: 'exited', reason: key })}
            empty={ends.rows.length === 0 ? none(texts.noEnds) : undefined}
          />
        </div>
        <StepTable stats={stats} cadence={cadence} />
      </div>
    </div>
  )
}
