import { ChevronDown, Plus, SlidersHorizontal } from 'lucide-react'
import { useEffect, useState } from 'react'
import { PageHeader } from '../../../patterns/page-header.tsx'
import { useNarrow } from '../../../patterns/use-narrow.ts'
import { can } from '../../../session/me.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import { describeTotal } from '../describe-total.ts'
import { DisplayMenu } from './display-menu.tsx'
import styles from './list.module.css'
import { readOwnViews } from './own-views.ts'
import type { LeadList } from './use-lead-list.ts'
import { useViews, ViewTabs } from './view-tabs.tsx'

const SaveViewDialog = lazyPart(() => import('./save-view-dialog.tsx'), 'SaveViewDialog')
const OptionsDialog = lazyPart(() => import('./options-dialog.tsx'), 'OptionsDialog')

/** Title, views and the actions of the whole list. On a phone the view is the title. */
export function ListHeader({ list, create }: { list: LeadList; create: () => void }) {
  const { me, search, pages, show } = list
  const views = useViews(list)
  const isNarrow = useNarrow()
  const [dialog, setDialog] = useState<'save' | 'options'>()
  useEffect(() => readOwnViews(me.id), [me.id])
  const current = views.find(({ isCurrent }) => isCurrent)?.label ?? leadTexts.title
  const saveView = () => setDialog('save')
  const canCreate = can(me, 'leads.write')
  return (
    <>
      {isNarrow ? (
        <PageHeader
          title={current}
          context={leadTexts.title}
          tabs={
            <>
              <span className={styles.count}>{describeTotal(pages, me.locale)}</span>
              <MenuButton
                label={leadTexts.chooseView}
                icon={<ChevronDown size={16} />}
                variant="quiet"
                align="start"
                items={views.map(({ label, isCurrent, search: next }) => ({
                  kind: 'choice',
                  label,
                  isChosen: isCurrent,
                  run: () => show(next),
                }))}
              />
            </>
          }
          actions={
            <>
              <IconButton
                label={leadTexts.options}
                icon={<SlidersHorizontal size={18} />}
                onClick={() => setDialog('options')}
              />
              {canCreate && (
                <IconButton label={leadTexts.newLead} variant="primary" icon={<Plus size={18} />} onClick={create} />
              )}
            </>
          }
        />
      ) : (
        <PageHeader
          title={leadTexts.title}
          tabs={<ViewTabs views={views} locale={me.locale} saveView={saveView} />}
          actions={
            <>
              <DisplayMenu list={list} saveView={saveView} />
              {canCreate && (
                <Button variant="primary" icon={<Plus size={15} />} keys="c" onClick={create}>
                  {leadTexts.newLead}
                </Button>
              )}
            </>
          }
        />
      )}
      {dialog === 'save' && <SaveViewDialog userId={me.id} search={search} close={() => setDialog(undefined)} />}
      {dialog === 'options' && <OptionsDialog list={list} saveView={saveView} close={() => setDialog(undefined)} />}
    </>
  )
}
