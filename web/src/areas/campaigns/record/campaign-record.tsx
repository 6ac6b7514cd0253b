import { useState } from 'react'
import { ErrorState } from '../../../patterns/error-state.tsx'
import { PageTabs } from '../../../patterns/page-tabs.tsx'
import { Skeleton } from '../../../patterns/states.tsx'
import { useMe } from '../../../session/me.ts'
import { campaignTexts as texts } from '../../../texts/en/campaign-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Campaign } from '../campaign-queries.ts'
import { campaignTabs, useCampaignSearch } from '../campaign-search.ts'
import { describeDates } from '../campaign-words.ts'
import type { DialogName } from './campaign-actions.ts'
import { CampaignDialogs } from './campaign-dialogs.tsx'
import { CampaignHead } from './campaign-head.tsx'

const options = {
  waiting: <Skeleton rows={8} />,
  renderFailure: (error: unknown) => <ErrorState error={error} />,
}
const ResultsPart = lazyPart(() => import('../results/results-part.tsx'), 'ResultsPart', options)
const PeoplePart = lazyPart(() => import('../people/people-part.tsx'), 'PeoplePart', options)
const SettingsPart = lazyPart(() => import('../settings/settings-part.tsx'), 'SettingsPart', options)

type RecordProps = { campaign: Campaign; list: object; leave: () => void }

export function CampaignRecord({ campaign, list, leave }: RecordProps) {
  const { locale } = useMe()
  const { search, change } = useCampaignSearch()
  const [dialog, open] = useState<DialogName>()
  const { member_count: members, owner } = campaign
  const tab = search.tab ?? 'results'
  const tabs = campaignTabs.map((key) => ({
    key,
    label: texts.tabs[key],
    count: key === 'people' && members > 0 ? formatNumber(members, locale) : undefined,
    search: key === 'results' ? {} : { tab: key },
  }))
  return (
    <>
      <CampaignHead {...{ campaign, list, open }} />
      <PageTabs label={texts.tabList} tabs={tabs} current={tab}>
        {[describeDates(campaign, locale), owner?.name].filter(Boolean).join(' · ')}
      </PageTabs>
      {tab === 'results' && <ResultsPart {...{ campaign, search, change, open }} />}
      {tab === 'people' && <PeoplePart {...{ campaign, open, leave }} />}
      {tab === 'settings' && <SettingsPart {...{ campaign, open }} />}
      {dialog && <CampaignDialogs {...{ campaign, dialog, change, leave }} close={() => open(undefined)} />}
    </>
  )
}
