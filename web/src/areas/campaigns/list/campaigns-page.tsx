import { useNavigate } from '@tanstack/react-router'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { createCampaign } from '../../../api/access.gen.ts'
import { areaKeys } from '../../../api/area-keys.ts'
import { RowCard } from '../../../patterns/list/cells.tsx'
import { EmptyList, type EmptySlot } from '../../../patterns/list/empty-list.tsx'
import type { ListDefinition } from '../../../patterns/list/list-definition.ts'
import { ListPage } from '../../../patterns/list/list-page.tsx'
import { useList } from '../../../patterns/list/use-list.ts'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { can, may, useMe } from '../../../session/me.ts'
import { campaignListTexts as texts } from '../../../texts/en/campaign-list-texts.ts'
import { formatMoney, formatNumber } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import {
  type CampaignFilters,
  type CampaignQuery,
  type CampaignSort,
  campaignSearch,
  toCampaignQuery,
} from '../campaign-list.ts'
import { type ListedCampaign, loadCampaignPage } from '../campaign-queries.ts'
import { StatusBadge } from '../status-badge.tsx'
import { campaignColumns, standardColumns } from './campaign-columns.tsx'
import { campaignFilters } from './campaign-filters.ts'

const CreateDialog = lazyPart(() => import('../create/create-dialog.tsx'), 'CreateDialog')

const campaignList: ListDefinition<ListedCampaign, CampaignQuery> = {
  path: '/campaigns',
  search: campaignSearch,
  standardView: () => 'current',
  toQuery: (filters: CampaignFilters, sort, today) => toCampaignQuery(filters, sort as CampaignSort, today),
  keyOf: areaKeys.campaigns.list,
  load: loadCampaignPage,
  name: 'campaigns',
  texts,
  filters: campaignFilters,
  columns: campaignColumns,
  standardColumns,
  nameOf: ({ name }) => name,
}

export function CampaignsPage() {
  const me = useMe()
  return can(me, 'campaigns.read') ? (
    <CampaignListPage />
  ) : (
    <NoPermissionPage area={texts.area} scope="campaigns.read" />
  )
}

function CampaignListPage() {
  const list = useList(campaignList)
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const open = ({ id }: { id: string }) =>
    void navigate({ to: '/campaigns/$campaignId', params: { campaignId: id }, search: {} })
  return (
    <>
      <ListPage
        list={list}
        create={may(list.me, createCampaign) ? () => setCreating(true) : undefined}
        openRow={open}
        openPage={open}
        renderCard={(campaign) => <CampaignCard campaign={campaign} />}
        renderEmpty={(slot) => <EmptyCampaigns {...slot} />}
      />
      {isCreating && <CreateDialog close={() => setCreating(false)} />}
    </>
  )
}

function CampaignCard({ campaign }: { campaign: ListedCampaign }) {
  const { locale } = useMe()
  const { name, type, status, member_count, results } = campaign
  return (
    <RowCard
      name={name}
      figure={results && formatMoney(results.won_amount, locale)}
      detail={`${texts.types[type]}, ${texts.people(formatNumber(member_count, locale))}`}
      status={<StatusBadge status={status} />}
    />
  )
}

const EmptyCampaigns = (slot: EmptySlot) => (
  <EmptyList
    {...slot}
    icon={<Megaphone size={20} />}
    views={{
      current: {
        title: texts.empty.currentTitle,
        text: texts.empty.currentText,
        links: { all: texts.empty.showAll },
        mayCreate: true,
      },
      mine: { title: texts.empty.mineTitle, text: texts.empty.mineText, links: { all: texts.empty.showAll } },
      all: {
        title: texts.empty.title,
        text: slot.create ? texts.empty.text : texts.empty.textReadOnly,
        mayCreate: true,
      },
    }}
    noMatch={{ title: texts.empty.filteredTitle, text: texts.empty.filteredText }}
  />
)
