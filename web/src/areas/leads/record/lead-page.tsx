import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { useCommands } from '../../../session/commands.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { can, useMe } from '../../../session/me.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import type { LeadTab } from '../lead-search.ts'
import { LeadPanel } from './lead-panel.tsx'
import styles from './record.module.css'

const route = getRouteApi('/leads/$leadId')

/** A lead on a page of its own. */
export function LeadPage() {
  const me = useMe()
  const { leadId } = route.useParams()
  const { tab, compose } = route.useSearch()
  const navigate = route.useNavigate()
  const close = () => void navigate({ to: '/leads', search: searchOfList('/leads', location.pathname) })
  const show = useCallback(
    (id: string) => void navigate({ to: '/leads/$leadId', params: { leadId: id }, replace: true }),
    [navigate],
  )
  useCommands([
    {
      id: 'list:close',
      label: recordTexts.close,
      group: leadTexts.title,
      keys: ['Escape'],
      isListed: false,
      run: close,
    },
  ])
  if (!can(me, 'leads.read')) return <NoPermissionPage area={leadTexts.area} scope="leads.read" />
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{leadTexts.title}</h1>
      <LeadPanel
        id={leadId}
        close={close}
        show={show}
        tab={tab}
        setTab={(next: LeadTab) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
        compose={compose}
        endCompose={() => void navigate({ search: ({ compose: _, ...before }) => before, replace: true })}
      />
    </div>
  )
}
