import { ChevronDown, Plus, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { listTexts } from '../../texts/en/list-texts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { PageHeader } from '../page-header.tsx'
import { useNarrow } from '../use-narrow.ts'
import { describeTotal } from './describe-total.ts'
import { DisplayMenu } from './display-menu.tsx'
import styles from './list.module.css'
import type { List } from './use-list.ts'
import { listViews, type ViewCounts, ViewTabs } from './views/view-tabs.tsx'

const SaveViewDialog = lazyPart(() => import('./views/save-view-dialog.tsx'), 'SaveViewDialog')
const OptionsDialog = lazyPart(() => import('./options-dialog.tsx'), 'OptionsDialog')

export type ListHeaderProps = {
  list: List
  counts?: ViewCounts
  create?: () => void
  actions?: ReactNode
}

export function ListHeader({ list, counts, create, actions }: ListHeaderProps) {
  const { definition, me, pages, show } = list
  const { texts } = definition
  const views = listViews(list, counts)
  const isNarrow = useNarrow()
  const [dialog, setDialog] = useState<'save' | 'options'>()
  const current = views.find(({ isCurrent }) => isCurrent)?.label ?? texts.title
  const saveView = () => setDialog('save')
  const endDialog = () => setDialog(undefined)
  return (
    <>
      {isNarrow ? (
        <PageHeader
          title={current}
          context={texts.title}
          tabs={
            <>
              <span className={styles.count}>{describeTotal(pages, me.locale)}</span>
              <MenuButton
                label={listTexts.chooseView}
                icon={<ChevronDown size={16} />}
                variant="quiet"
                align="start"
                items={views.map(({ label, isCurrent, search }) => ({
                  kind: 'choice',
                  label,
                  isChosen: isCurrent,
                  run: () => show(search),
                }))}
              />
            </>
          }
          actions={
            <>
              {actions}
              <IconButton
                label={listTexts.options}
                icon={<SlidersHorizontal size={18} />}
                onClick={() => setDialog('options')}
              />
              {create && (
                <IconButton label={texts.create} variant="primary" icon={<Plus size={18} />} onClick={create} />
              )}
            </>
          }
        />
      ) : (
        <PageHeader
          title={texts.title}
          tabs={<ViewTabs list={list} views={views} saveView={saveView} />}
          actions={
            <>
              <DisplayMenu list={list} saveView={saveView} />
              {actions}
              {create && (
                <Button variant="primary" icon={<Plus size={15} />} keys="c" onClick={create}>
                  {texts.create}
                </Button>
              )}
            </>
          }
        />
      )}
      {dialog === 'save' && <SaveViewDialog list={list} close={endDialog} />}
      {dialog === 'options' && <OptionsDialog list={list} saveView={saveView} close={endDialog} />}
    </>
  )
}
