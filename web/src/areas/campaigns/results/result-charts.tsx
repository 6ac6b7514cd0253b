import { Columns3, Megaphone } from 'lucide-react'
import { BarChart } from '../../../charts/bar-chart.tsx'
import { Funnel, StackedBars } from '../../../charts/row-bars.tsx'
import { State } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { campaignResultTexts as texts } from '../../../texts/en/campaign-result-texts.ts'
import { chartTexts } from '../../../texts/en/chart-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber, formatTime } from '../../../ui/format.ts'
import { currentTimeZone } from '../../../ui/time-zone.ts'
import type { DealKind, Kpis } from '../campaign-queries.ts'
import type { ChangeSearch, Model, ShowDeals } from '../campaign-search.ts'
import { describeFunnel, describeModels, describeWeeks, periodOfWeek } from './result-data.ts'
import styles from './results.module.css'

type ChartsProps = { kpis: Kpis; change: ChangeSearch; showDeals: ShowDeals | undefined }

export function ResultCharts({ kpis, change, showDeals }: ChartsProps) {
  const { locale, tenant } = useMe()
  const asOf = (window: string) => chartTexts.asOf(window, formatTime(kpis.as_of, locale), currentTimeZone())
  const weeks = describeWeeks(kpis, locale)
  const { rows } = weeks.data
  return (
    <>
      <div className={styles.pair}>
        <StackedBars
          title={texts.models.title}
          {...describeModels(kpis, locale)}
          period={asOf(texts.models.window)}
          empty={kpis.opportunities.influenced === 0 ? <NoDeals change={change} /> : undefined}
          open={showDeals && (({ key }, { key: kind }) => showDeals({ model: key as Model, deals: kind as DealKind }))}
        />
        <Funnel
          title={texts.funnel.title}
          {...describeFunnel(kpis, locale, showDeals !== undefined)}
          period={asOf(texts.funnel.window)}
          empty={kpis.responded === 0 ? <NoResponses kpis={kpis} change={change} /> : undefined}
          open={({ key }) => {
            if (key === 'people') change({ tab: 'people' })
            if (key === 'responded') change({ tab: 'people', responded: 'yes' })
            if (key === 'won') showDeals?.({ deals: 'won' })
          }}
        />
      </div>
      <BarChart
        title={texts.weeks.title}
        {...weeks}
        period={asOf(texts.weeks.window(rows[0]!.label, rows.at(-1)!.label, tenant.general.timezone))}
        open={({ key }, series) =>
          change({ tab: 'people', [series.key === 'added' ? 'added' : 'respondedOn']: periodOfWeek(key) })
        }
      />
    </>
  )
}

const NoDeals = ({ change }: Pick<ChartsProps, 'change'>) => (
  <State
    icon={<Columns3 size={20} />}
    hue="neutral"
    title={texts.models.emptyTitle}
    actions={<Button onClick={() => change({ tab: 'people' })}>{texts.models.showPeople}</Button>}
  >
    {texts.models.emptyText}
  </State>
)

function NoResponses({ kpis: { members }, change }: Pick<ChartsProps, 'kpis' | 'change'>) {
  const { locale } = useMe()
  return (
    <State
      icon={<Megaphone size={20} />}
      hue="info"
      title={texts.funnel.emptyTitle}
      actions={<Button onClick={() => change({ tab: 'people' })}>{texts.funnel.setResponded}</Button>}
    >
      {texts.funnel.emptyText(members, formatNumber(members, locale))}
    </State>
  )
}
