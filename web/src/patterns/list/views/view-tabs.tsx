import { useLinkProps } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import styles from '../list.module.css'
import type { ListSearch } from '../list-search.ts'
import type { List } from '../use-list.ts'
import { findOwnView } from './own-views.ts'

export type ShownView = { label: string; search: ListSearch; isCurrent: boolean; count?: number }

/** The number of records of each view; 0 and undefined are not shown, `null` hides the view. */
export type ViewCounts = Readonly<Record<string, number | null | undefined>>

export function listViews(
  list: Pick<List, 'definition' | 'search' | 'standard' | 'views' | 'columns'>,
  counts: ViewCounts = {},
): ShownView[] {
  const { definition, search, standard } = list
  const ownView = findOwnView(list)
  const views = definition.search.views
    .filter((view) => counts[view] !== null)
    .map((view) => ({
      label: definition.texts.views[view]!,
      search: view === standard ? {} : { view },
      isCurrent: !ownView && (search.view ?? standard) === view,
      count: counts[view] ?? undefined,
    }))
  return [
    ...views,
    ...list.views.map((view) => ({ label: view.name, search: view.search, isCurrent: view.name === ownView?.name })),
  ]
}

type TabsProps = {
  list: Pick<List, 'definition' | 'me'>
  views: readonly ShownView[]
  saveView: () => void
}

export const ViewTabs = ({ list: { definition, me }, views, saveView }: TabsProps) => (
  <nav className={styles.tabs} aria-label={listTexts.viewsLabel}>
    {views.map(({ label, search, isCurrent, count }) => (
      <ViewTab key={label} to={definition.path} search={search} isCurrent={isCurrent}>
        {label}
        {count !== undefined && count > 0 && <span className={styles.count}>{formatNumber(count, me.locale)}</span>}
      </ViewTab>
    ))}
    <Button
      variant="plain"
      className={styles.tab}
      aria-label={listTexts.saveView}
      title={listTexts.saveView}
      icon={<Plus size={15} />}
      onClick={saveView}
    />
  </nav>
)

type TabProps = { to: string; search: ListSearch; isCurrent: boolean; children: ReactNode }

/** A link of the router takes each view for the current one whose filters are a part of those of the URL. */
function ViewTab({ to, search, isCurrent, children }: TabProps) {
  const link = useLinkProps({ to, search: search as never, className: styles.tab, preload: false })
  return (
    <a {...link} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  )
}
