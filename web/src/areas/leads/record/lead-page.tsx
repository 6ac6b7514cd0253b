import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { BackLink } from '../../../patterns/record/back-link.tsx'
import { NoPermissionPage } from '../../../patterns/states.tsx'
import { type Command, useCommands } from '../../../session/commands.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { can, useMe } from '../../../session/me.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import type { LeadTab } from '../lead-search.ts'
import { LeadPanel } from './lead-panel.tsx'
import styles from './record.module.css'
import { useNeighbors } from './use-neighbors.ts'

const route = getRouteApi('/leads/$leadId')

export function LeadPage() {
  const me = useMe()
  return can(me, 'leads.read') ? <OpenLead /> : <NoPermissionPage area={leadTexts.area} scope="leads.read" />
}

function OpenLead() {
  const { leadId } = route.useParams()
  const { tab, compose } = route.useSearch()
  const navigate = route.useNavigate()
  const list = searchOfList('/leads', location.pathname)
  const close = () => void navigate({ to: '/leads', search: list })
  const show = useCallback(
    (id: string) => void navigate({ to: '/leads/$leadId', params: { leadId: id }, replace: true }),
    [navigate],
  )
  const { position, previous, next } = useNeighbors(leadId, show)
  const command = (id: string, label: string, key: string, run: (() => void) | undefined): Command => ({
    id: `list:${id}`,
    label,
    group: leadTexts.title,
    keys: [key],
    isListed: false,
    isAvailable: run !== undefined,
    run: () => run?.(),
  })
  useCommands([
    command('close', recordTexts.close, 'Escape', close),
    command('next', recordTexts.next, 'j', next),
    command('previous', recordTexts.previous, 'k', previous),
  ])
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{leadTexts.title}</h1>
      <LeadPanel
        id={leadId}
        back={<BackLink to="/leads" search={list} label={leadTexts.title} />}
        position={position}
        goTo={{ previous, next }}
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
