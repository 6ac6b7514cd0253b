import { Link } from '@tanstack/react-router'
import { Funnel, Plus, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import stateStyles from '../../../patterns/states.module.css'
import { State } from '../../../patterns/states.tsx'
import { can } from '../../../session/me.ts'
import { leadListTexts } from '../../../texts/en/lead-list-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { viewOf } from '../lead-search.ts'
import type { LeadList } from './use-lead-list.ts'

const texts = leadListTexts.empty

type EmptyListProps = { list: LeadList; create: () => void; chips: ReactNode }

/** Explains an empty list: how to begin, where else to look, or which filters to remove. */
export function EmptyList({ list, create, chips }: EmptyListProps) {
  const { filters, me } = list
  const canCreate = can(me, 'leads.write')
  const view = viewOf(filters)
  if (view === 'all')
    return (
      <State
        icon={<UsersRound size={20} />}
        hue="info"
        title={texts.title}
        actions={
          canCreate && (
            <Button variant="primary" icon={<Plus size={15} />} keys="c" onClick={create}>
              {leadTexts.newLead}
            </Button>
          )
        }
      >
        {canCreate ? texts.text : texts.textReadOnly}
      </State>
    )
  if (view === 'queue')
    return (
      <State
        icon={<UsersRound size={20} />}
        hue="info"
        title={texts.queueTitle}
        actions={
          <>
            <ViewLink view="unassigned">{texts.showUnassigned}</ViewLink>
            <ViewLink view="all">{texts.showAll}</ViewLink>
          </>
        }
      >
        {texts.queueText}
      </State>
    )
  if (view === 'unassigned')
    return (
      <State
        icon={<UsersRound size={20} />}
        hue="success"
        title={texts.unassignedTitle}
        actions={<ViewLink view="all">{texts.showAll}</ViewLink>}
      >
        {texts.unassignedText}
      </State>
    )
  return (
    <State icon={<Funnel size={20} />} hue="neutral" title={texts.filteredTitle} actions={chips}>
      {texts.filteredText}
    </State>
  )
}

const ViewLink = ({ view, children }: { view: 'unassigned' | 'all'; children: ReactNode }) => (
  <Link to="/leads" search={{ view }} className={stateStyles.link}>
    {children}
  </Link>
)
