import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { isProblem } from '../../../api/problem.ts'
import { BackLink } from '../../../patterns/record/back-link.tsx'
import { NoPermissionPage, NotFoundState, ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { usePageTitle } from '../../../patterns/use-page-title.ts'
import { useCommands } from '../../../session/commands.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { can, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { dealQuery } from '../deal-queries.ts'
import styles from './deal-record.module.css'
import { DealRecord } from './deal-record.tsx'

const route = getRouteApi('/deals/$dealId')

/** A deal as a page of its own. */
export function DealPage() {
  const { dealId } = route.useParams()
  const navigate = useNavigate()
  const board = searchOfList('/deals', location.pathname)
  const leave = () => void navigate({ to: '/deals', search: board })
  useCommands([
    {
      id: 'deals:close',
      label: recordTexts.close,
      group: dealTexts.group,
      keys: ['Escape'],
      isListed: false,
      run: leave,
    },
  ])
  const canRead = can(useMe(), 'opportunities.read')
  const deal = useQuery({ ...dealQuery(dealId), enabled: canRead })
  usePageTitle(deal.data?.name ?? dealTexts.title)
  if (!canRead) return <NoPermissionPage area={dealTexts.area} scope="opportunities.read" />
  const back = <BackLink to="/deals" search={board} label={dealTexts.title} />
  return (
    <div className={styles.page}>
      {!deal.data && (
        <>
          <div className={styles.bar}>{back}</div>
          <h1 className="visually-hidden">{dealTexts.title}</h1>
        </>
      )}
      {deal.data ? (
        <DealRecord
          key={dealId}
          deal={deal.data}
          frame={{ label: deal.data.name, path: `/deals/${dealId}`, back }}
          leave={leave}
          isPage
        />
      ) : isProblem(deal.error) && [404, 422].includes(deal.error.status) ? (
        <NotFoundState title={dealTexts.notFound} />
      ) : deal.error ? (
        <ProblemState error={deal.error} part={dealTexts.deal} retry={() => void deal.refetch()} />
      ) : (
        <Skeleton rows={10} />
      )}
    </div>
  )
}
