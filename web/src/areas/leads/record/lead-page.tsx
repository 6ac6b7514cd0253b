import { getRouteApi } from '@tanstack/react-router'
import { RecordPage, toBackLink, useRecordPage } from '../../../patterns/record/record-page.tsx'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { can, useMe } from '../../../session/me.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { leadSource } from '../lead-list.ts'
import type { LeadTab } from '../lead-search.ts'
import { LeadPanel } from './lead-panel.tsx'

const route = getRouteApi('/leads/$leadId')

export function LeadPage() {
  const me = useMe()
  return can(me, 'leads.read') ? <OpenLead /> : <NoPermissionPage area={leadTexts.area} scope="leads.read" />
}

function OpenLead() {
  const { leadId } = route.useParams()
  const { tab, compose } = route.useSearch()
  const navigate = route.useNavigate()
  const { search, ...frame } = useRecordPage(leadSource, leadId, leadTexts.title)
  return (
    <RecordPage title={leadTexts.title}>
      <LeadPanel
        id={leadId}
        back={toBackLink('/leads', search, leadTexts.title)}
        {...frame}
        tab={tab}
        setTab={(next: LeadTab) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
        compose={compose}
        endCompose={() => void navigate({ search: ({ compose: _, ...before }) => before, replace: true })}
      />
    </RecordPage>
  )
}
