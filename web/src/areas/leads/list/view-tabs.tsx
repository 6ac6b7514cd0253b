import { useQuery } from '@tanstack/react-query'
import { useLinkProps } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from '../../../api/store.ts'
import { kpisQuery } from '../../../patterns/shared-queries.ts'
import { can } from '../../../session/me.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { type LeadSearch, type LeadView, leadViews } from '../lead-search.ts'
import styles from './list.module.css'
import { findOwnView, ownViews } from './own-views.ts'
import type { LeadList } from './use-lead-list.ts'

export type ShownView = { label: string; search: LeadSearch; isCurrent: boolean; count?: number }

/** The views of the application and those of the user. */
export function useViews({ me, search, standard }: Pick<LeadList, 'me' | 'search' | 'standard'>): ShownView[] {
  const own = useStore(ownViews)
  const isSeller = can(me, 'leads.write')
  const mine = useQuery({ ...kpisQuery('me'), enabled: isSeller }).data
  const all = useQuery(kpisQuery(undefined)).data
  const counts: Readonly<Record<LeadView, number | undefined>> = {
    queue: mine?.open,
    all: undefined,
    unassigned: all?.unassigned,
  }
  const ownView = findOwnView(own, search, standard)
  const views = leadViews
    .filter((view) => isSeller || view !== 'queue')
    .map((view) => ({
      label: leadTexts.views[view],
      search: view === standard ? {} : { view },
      isCurrent: !ownView && (search.view ?? standard) === view,
      count: counts[view],
    }))
  return [
    ...views,
    ...own.map((view) => ({ label: view.name, search: view.search, isCurrent: view.name === ownView?.name })),
  ]
}

export const ViewTabs = ({
  views,
  locale,
  saveView,
}: {
  views: readonly ShownView[]
  locale: string
  saveView: () => void
}) => (
  <nav className={styles.tabs} aria-label={leadTexts.viewsLabel}>
    {views.map(({ label, search, isCurrent, count }) => (
      <ViewTab key={label} search={search} isCurrent={isCurrent}>
        {label}
        {count !== undefined && count > 0 && <span className={styles.count}>{formatNumber(count, locale)}</span>}
      </ViewTab>
    ))}
    <Button
      variant="plain"
      className={styles.tab}
      aria-label={leadTexts.saveView}
      title={leadTexts.saveView}
      icon={<Plus size={15} />}
      onClick={saveView}
    />
  </nav>
)

type TabProps = { search: LeadSearch; isCurrent: boolean; children: ReactNode }

/** A link of the router takes each view for the current one whose filters are a part of those of the URL. */
function ViewTab({ search, isCurrent, children }: TabProps) {
  const link = useLinkProps({ to: '/leads', search, className: styles.tab, preload: false })
  return (
    <a {...link} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  )
}
