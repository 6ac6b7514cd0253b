import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnrollments } from '../../../patterns/enrollments/enrollment-api.ts'
import { isLive } from '../../../patterns/enrollments/enrollment-status.ts'
import { PersonEnrollments } from '../../../patterns/enrollments/person-enrollments.tsx'
import { Composer, type ComposerKind } from '../../../patterns/record/composer/composer.tsx'
import { describeChange } from '../../../patterns/record/describe-change.ts'
import { PersonCampaigns } from '../../../patterns/record/person-campaigns.tsx'
import { Timeline } from '../../../patterns/record/timeline.tsx'
import { can, useMe } from '../../../session/me.ts'
import { enrollmentTexts } from '../../../texts/en/enrollment-texts.ts'
import { leadRecordTexts as texts } from '../../../texts/en/lead-record-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { type Tab, Tabs } from '../../../ui/tabs.tsx'
import type { Lead } from '../lead-queries.ts'
import type { LeadTab } from '../lead-search.ts'
import { leadCampaignsQuery } from './lead-campaigns.ts'
import type { ShownLead } from './lead-changes.ts'
import { LeadDuplicates } from './lead-duplicates.tsx'

type LeadTabsProps = {
  lead: ShownLead
  details: Lead | undefined
  /** The fields; left out if they are shown beside the tabs. */
  fields: ReactNode
  canEdit: boolean
  tab: LeadTab
  setTab: (tab: LeadTab) => void
  kind: ComposerKind
  setKind: (kind: ComposerKind) => void
  composerFocus: number
}

export function LeadTabs(props: LeadTabsProps) {
  const { lead, details, fields, canEdit, tab, setTab } = props
  const me = useMe()
  const mayReadCampaigns = can(me, 'campaigns.read')
  const mayReadDuplicates = can(me, 'contacts.read')
  const mayReadCadences = can(me, 'cadences.read') && can(me, 'contacts.read')
  const record = { type: 'lead' as const, id: lead.id }
  const isCadences = tab === 'cadences' && mayReadCadences
  const enrollments = useEnrollments(record, { enabled: isCadences }).data?.pages.flatMap(({ items }) => items)
  const isCampaigns = tab === 'campaigns' && mayReadCampaigns
  const campaigns = useQuery({ ...leadCampaignsQuery(lead.id), enabled: isCampaigns })
  const tabs: Tab<LeadTab>[] = [
    { key: 'activity', label: texts.activity },
    ...(fields ? [{ key: 'details' as const, label: texts.details }] : []),
    ...(mayReadCadences
      ? [{ key: 'cadences' as const, label: enrollmentTexts.cadences, count: enrollments?.filter(isLive).length }]
      : []),
    ...(mayReadCampaigns ? [{ key: 'campaigns' as const, label: texts.campaigns, count: campaigns.data?.length }] : []),
    ...(mayReadDuplicates
      ? [{ key: 'duplicates' as const, label: texts.duplicates, count: details?.duplicate_count }]
      : []),
  ]
  const current = tabs.some(({ key }) => key === tab) ? tab : 'activity'
  return (
    <Tabs label={texts.tabs} tabs={tabs} current={current} choose={setTab}>
      {current === 'activity' && (
        <>
          {canEdit && (
            <Composer
              record={record}
              userId={me.id}
              kind={props.kind}
              setKind={props.setKind}
              focusRequest={props.composerFocus}
            />
          )}
          <Timeline record={record} locale={me.locale} canEdit={canEdit} describe={describeLeadChange} />
        </>
      )}
      {current === 'details' && fields}
      {current === 'cadences' && <PersonEnrollments person={record} />}
      {current === 'campaigns' && <PersonCampaigns query={campaigns} />}
      {current === 'duplicates' && <LeadDuplicates id={lead.id} />}
    </Tabs>
  )
}

const describeLeadChange = describeChange({ ...leadTexts.stages, ...leadTexts.statuses })
