import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { isProblem } from '../../../api/problem.ts'
import { BackLink } from '../../../patterns/record/back-link.tsx'
import { NoPermissionPage, NotFoundState, ProblemState, Skeleton } from '../../../patterns/states.tsx'
import { usePageTitle } from '../../../patterns/use-page-title.ts'
import { useCommands } from '../../../session/commands.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { can, useMe } from '../../../session/me.ts'
import { campaignTexts as texts } from '../../../texts/en/campaign-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { campaignQuery } from '../campaign-queries.ts'
import { useCampaignSearch } from '../campaign-search.ts'
import styles from './campaign.module.css'
import { CampaignRecord } from './campaign-record.tsx'

export function CampaignPage() {
  const me = useMe()
  return can(me, 'campaigns.read') ? <OpenCampaign /> : <NoPermissionPage area={texts.area} scope="campaigns.read" />
}

function OpenCampaign() {
  const { campaignId = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(campaignQuery(campaignId))
  const list = searchOfList('/campaigns', location.pathname)
  const { tab } = useCampaignSearch().search
  const leave = () => void navigate({ to: '/campaigns', search: list as never })
  useCommands([
    {
      id: 'campaign:close',
      label: recordTexts.close,
      group: texts.group,
      keys: ['Escape'],
      isListed: false,
      // On the list of people, Escape clears the selection first.
      isAvailable: tab !== 'people',
      run: leave,
    },
  ])
  usePageTitle(data?.name ?? texts.title)
  if (data) return <CampaignRecord key={campaignId} campaign={data} list={list} leave={leave} />
  return (
    <>
      <div className={styles.bar}>
        <BackLink to="/campaigns" search={list} label={texts.title} />
      </div>
      <h1 className="visually-hidden">{texts.title}</h1>
      {isProblem(error) && [404, 422].includes(error.status) ? (
        <NotFoundState title={texts.notFound} />
      ) : error ? (
        <ProblemState error={error} part={texts.campaign} retry={() => void refetch()} />
      ) : (
        <Skeleton rows={10} />
      )}
    </>
  )
}
