import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { isProblem } from '../../../api/problem.ts'
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
  return (
    <div className={styles.page}>
      <nav className={styles.back} aria-label={dealTexts.title}>
        <Link to="/deals" search={board}>
          <ChevronLeft size={15} aria-hidden="true" />
          {dealTexts.title}
        </Link>
      </nav>
      {!deal.data && <h1 className="visually-hidden">{dealTexts.title}</h1>}
      {deal.data ? (
        <DealRecord
          key={dealId}
          deal={deal.data}
          frame={{ label: deal.data.name, path: `/deals/${dealId}` }}
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
