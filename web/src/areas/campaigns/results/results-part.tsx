import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { listCampaignOpportunities, updateCampaign } from '../../../api/access.gen.ts'
import { Tiles } from '../../../charts/tile.tsx'
import { ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { may, useMe } from '../../../session/me.ts'
import { campaignResultTexts as texts } from '../../../texts/en/campaign-result-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { type Campaign, type Kpis, resultsQuery } from '../campaign-queries.ts'
import type { CampaignSearch, ChangeSearch, ShowDeals } from '../campaign-search.ts'
import { isEditable } from '../campaign-status.ts'
import { listWaysToAdd, type OpenDialog } from '../record/campaign-actions.ts'
import { DealsCard } from './deals-card.tsx'
import { NoPeople } from './no-people.tsx'
import { ResultCharts } from './result-charts.tsx'
import { type FigureKey, listFigures } from './result-figures.ts'
import styles from './results.module.css'

type ResultsProps = { campaign: Campaign; search: CampaignSearch; change: ChangeSearch; open: OpenDialog }

/** Shows figures, charts and the deals behind them. */
export function ResultsPart({ campaign, search, change, open }: ResultsProps) {
  const me = useMe()
  const { data: kpis, error, refetch } = useQuery(resultsQuery(campaign.id))
  const mayReadDeals = may(me, listCampaignOpportunities)
  const dealsCard = useRef<HTMLElement>(null)
  const [shownDeals, setShown] = useState(0)
  const showDeals: ShowDeals = (deals) => {
    change({ deals: undefined, model: undefined, ...deals })
    setShown((count) => count + 1)
  }
  useEffect(() => {
    if (shownDeals === 0) return
    dealsCard.current?.scrollIntoView({ block: 'start' })
    dealsCard.current?.focus({ preventScroll: true })
  }, [shownDeals])
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        {kpis ? (
          <>
            <ResultTiles {...{ campaign, kpis, change }} showDeals={mayReadDeals ? showDeals : undefined} />
            {kpis.actual_cost === null && kpis.members > 0 && <NoCost campaign={campaign} open={open} />}
            {kpis.members === 0 && kpis.opportunities.influenced === 0 ? (
              <NoPeople ways={listWaysToAdd(me, campaign)} open={open} />
            ) : (
              <ResultCharts {...{ kpis, change }} showDeals={mayReadDeals ? showDeals : undefined} />
            )}
          </>
        ) : error ? (
          <ProblemState error={error} part={texts.results} retry={() => void refetch()} />
        ) : (
          <Skeleton rows={9} />
        )}
        {mayReadDeals && (
          <DealsCard
            ref={dealsCard}
            campaignId={campaign.id}
            hasDeals={kpis ? kpis.opportunities.influenced > 0 : undefined}
            {...{ search, change }}
          />
        )}
      </div>
    </div>
  )
}

type TilesProps = { campaign: Campaign; kpis: Kpis; change: ChangeSearch; showDeals: ShowDeals | undefined }

function ResultTiles({ campaign, kpis, change, showDeals }: TilesProps) {
  const { locale } = useMe()
  const opens: Partial<Record<FigureKey, () => void>> = {
    people: () => change({ tab: 'people' }),
    responded: () => change({ tab: 'people', responded: 'yes' }),
    won: showDeals && (() => showDeals({ deals: 'won' })),
  }
  return (
    <Tiles
      label={texts.figures}
      tiles={listFigures(campaign, kpis, locale).map(({ key, ...figure }) => ({
        ...figure,
        label: texts.tiles[key],
        open: opens[key],
      }))}
    />
  )
}

function NoCost({ campaign, open }: { campaign: Campaign; open: OpenDialog }) {
  const me = useMe()
  return (
    <div className={styles.note}>
      <Info size={16} aria-hidden="true" />
      <p>{texts.noCost}</p>
      {may(me, updateCampaign) && isEditable(campaign) && (
        <Button size="small" onClick={() => open('cost')}>
          {texts.addCost}
        </Button>
      )}
    </div>
  )
}
