import { useQuery } from '@tanstack/react-query'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import { findCampaigns } from '../../../patterns/find-campaigns.ts'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import { importOptionTexts as texts } from '../../../texts/en/import-option-texts.ts'
import own from './options.module.css'
import type { OptionsProps } from './options-props.ts'

export function CampaignOption({ options, set, errorOf }: OptionsProps) {
  const { campaign_id: id } = options
  const campaign = useQuery({
    queryKey: areaKeys.campaignName(id ?? ''),
    queryFn: ({ signal }) =>
      read(api.GET('/api/campaigns/{campaign_id}', { params: { path: { campaign_id: id! } }, signal })),
    enabled: id !== undefined,
  })
  if (id && campaign.isPending) return null
  const chosen = id ? { id, name: campaign.data?.name ?? texts.unknownCampaign } : undefined
  return (
    <div className={own.search}>
      <RecordSearch
        label={texts.campaign}
        queryKey={areaKeys.campaignSearch}
        find={findCampaigns}
        chosen={chosen}
        choose={(choice) => set({ campaign_id: choice?.id ?? undefined })}
        error={errorOf('campaign_id')}
      />
    </div>
  )
}
