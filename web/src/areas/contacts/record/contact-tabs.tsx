import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  acceptEnrichmentSuggestion,
  getContactConsent,
  getEnrichmentStatus,
  listContactCampaigns,
  listContactDuplicates,
  listPersonEnrollments,
} from '../../../api/access.gen.ts'
import { useEnrollments } from '../../../patterns/enrollments/enrollment-api.ts'
import { isLive } from '../../../patterns/enrollments/enrollment-status.ts'
import { PersonEnrollments } from '../../../patterns/enrollments/person-enrollments.tsx'
import { Composer, type ComposerKind } from '../../../patterns/record/composer/composer.tsx'
import { describeChange } from '../../../patterns/record/describe-change.ts'
import { FoundValues } from '../../../patterns/record/found-values.tsx'
import { PersonCampaigns } from '../../../patterns/record/person-campaigns.tsx'
import { Timeline } from '../../../patterns/record/timeline.tsx'
import { may, useMe } from '../../../session/me.ts'
import { contactConsentTexts } from '../../../texts/en/contact-consent-texts.ts'
import { contactListTexts } from '../../../texts/en/contact-list-texts.ts'
import { contactRecordTexts as texts } from '../../../texts/en/contact-record-texts.ts'
import { enrollmentTexts } from '../../../texts/en/enrollment-texts.ts'
import { recordPartTexts } from '../../../texts/en/record-part-texts.ts'
import { type Tab, Tabs } from '../../../ui/tabs.tsx'
import { refreshContacts } from '../contact-queries.ts'
import type { ContactTab } from '../contact-search.ts'
import type { ShownContact } from './contact-changes.ts'
import { ContactConsent } from './contact-consent.tsx'
import { ContactDuplicates } from './contact-duplicates.tsx'
import { labelOfField } from './contact-fields.ts'
import { contactCampaignsQuery } from './tab-queries.ts'

type ContactTabsProps = {
  contact: ShownContact
  /** The fields; left out if they are shown beside the tabs. */
  fields: ReactNode
  canEdit: boolean
  tab: ContactTab
  setTab: (tab: ContactTab) => void
  kind: ComposerKind
  setKind: (kind: ComposerKind) => void
  composerFocus: number
}

export function ContactTabs({ contact, fields, canEdit, tab, setTab, ...composer }: ContactTabsProps) {
  const me = useMe()
  const record = { type: 'contact' as const, id: contact.id }
  const [mayReadCadences, mayReadCampaigns] = [may(me, listPersonEnrollments), may(me, listContactCampaigns)]
  const isCadences = tab === 'cadences' && mayReadCadences
  const enrollments = useEnrollments(record, { enabled: isCadences }).data?.pages.flatMap(({ items }) => items)
  const isCampaigns = tab === 'campaigns' && mayReadCampaigns
  const campaigns = useQuery({ ...contactCampaignsQuery(contact.id), enabled: isCampaigns })
  const all: (Tab<ContactTab> & { isShown: boolean })[] = [
    { key: 'activity', label: texts.activity, isShown: true },
    { key: 'details', label: texts.details, isShown: Boolean(fields) },
    {
      key: 'cadences',
      label: enrollmentTexts.cadences,
      count: enrollments?.filter(isLive).length,
      isShown: mayReadCadences,
    },
    { key: 'campaigns', label: texts.campaigns, count: campaigns.data?.length, isShown: mayReadCampaigns },
    { key: 'consent', label: contactConsentTexts.tab, isShown: may(me, getContactConsent) },
    { key: 'duplicates', label: texts.duplicates, isShown: may(me, listContactDuplicates) },
    { key: 'suggestions', label: recordPartTexts.suggestions.title, isShown: may(me, getEnrichmentStatus) },
  ]
  const tabs = all.filter(({ isShown }) => isShown)
  const current = tabs.some(({ key }) => key === tab) ? tab : 'activity'
  return (
    <Tabs label={texts.tabs} tabs={tabs} current={current} choose={setTab}>
      {current === 'activity' && (
        <>
          {canEdit && (
            <Composer
              record={record}
              userId={me.id}
              kind={composer.kind}
              setKind={composer.setKind}
              focusRequest={composer.composerFocus}
            />
          )}
          <Timeline record={record} locale={me.locale} canEdit={canEdit} describe={describeStageChange} />
        </>
      )}
      {current === 'details' && fields}
      {current === 'cadences' && <PersonEnrollments person={record} />}
      {current === 'campaigns' && <PersonCampaigns query={campaigns} />}
      {current === 'consent' && <ContactConsent id={contact.id} />}
      {current === 'duplicates' && <ContactDuplicates id={contact.id} />}
      {current === 'suggestions' && (
        <FoundValues
          record={record}
          canDecide={canEdit && may(me, acceptEnrichmentSuggestion)}
          labelOf={labelOfField}
          refresh={refreshContacts}
        />
      )}
    </Tabs>
  )
}

const describeStageChange = describeChange(contactListTexts.stages)
