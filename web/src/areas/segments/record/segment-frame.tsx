import { useSearch } from '@tanstack/react-router'
import type { KeyboardEvent, ReactNode } from 'react'
import { PageTabs } from '../../../patterns/page-tabs.tsx'
import { RecordHead } from '../../../patterns/record-head.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { useMe } from '../../../session/me.ts'
import { segmentTexts as texts } from '../../../texts/en/segment-texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { formatAgo } from '../../../ui/format.ts'
import type { Segment } from '../segment-queries.ts'
import { parseTab, type SegmentTab } from '../segment-search.ts'
import { countText } from './count-panel.tsx'
import { PeopleTab } from './people-tab.tsx'
import styles from './segment.module.css'
import { SettingsTab } from './settings-tab.tsx'
import { UsesTab } from './uses-tab.tsx'

type FrameProps = {
  segment: Segment
  count: { count: number; relation: 'eq' | 'gte' } | undefined
  note?: ReactNode
  actions: ReactNode
  /** The part of the rule; a static segment has none. */
  rule?: ReactNode
  onKeyDown?: (event: KeyboardEvent) => void
}

export function SegmentFrame({ segment, count, note, actions, rule, onKeyDown }: FrameProps) {
  const { locale } = useMe()
  const now = useNow()
  const search = useSearch({ strict: false })
  const tabs: readonly SegmentTab[] = rule ? ['rule', 'people', 'uses', 'settings'] : ['people', 'uses', 'settings']
  const current = tabs.find((tab) => tab === parseTab(search)) ?? tabs[0]!
  const { object_type: type, owner, updated_at: changedAt, kind, state, used_by: uses } = segment
  const counts: Partial<Record<SegmentTab, string>> = {
    people: count && countText(count.count, count.relation, locale),
    uses: uses.length > 0 ? String(uses.length) : undefined,
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl and Enter save from every control
    <div className={styles.page} onKeyDown={onKeyDown}>
      <RecordHead
        list={{ to: '/segments', search: searchOfList('/segments', location.pathname), label: texts.title }}
        name={segment.name}
        badge={
          <span className={styles.badge}>
            {state === 'invalid' ? (
              <Badge hue="danger">{texts.states.invalid}</Badge>
            ) : (
              <Badge hue={kind === 'dynamic' ? 'teal' : 'neutral'}>{texts.kinds[kind]}</Badge>
            )}
          </span>
        }
        note={note}
      >
        {actions}
      </RecordHead>
      <PageTabs
        label={texts.parts}
        current={current}
        tabs={tabs.map((key) => ({
          key,
          label: key === 'people' ? texts.recordTabs[type] : texts.tabs[key],
          count: counts[key],
          search: key === tabs[0] ? {} : { tab: key },
        }))}
      >
        {[texts.types[type], owner?.name, texts.changed(formatAgo(changedAt, now, locale))].filter(Boolean).join(' · ')}
      </PageTabs>
      <div className={styles.part}>
        {current === 'rule' && rule}
        {current === 'people' && <PeopleTab segment={segment} />}
        {current === 'uses' && <UsesTab segment={segment} />}
        {current === 'settings' && <SettingsTab segment={segment} />}
      </div>
    </div>
  )
}
