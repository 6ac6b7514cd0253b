import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { useCommands } from '../../app/commands.ts'
import { can, useMe } from '../../app/me.ts'
import { DataGrid } from '../../patterns/grid/data-grid.tsx'
import { PageHeader } from '../../patterns/page-header.tsx'
import { ProblemState, Skeleton } from '../../patterns/states.tsx'
import { useNow } from '../../patterns/use-now.ts'
import { leadTexts } from '../../texts/en/lead-texts.ts'
import { Button } from '../../ui/button.tsx'
import { leadColumns, nameOfLead } from './lead-columns.tsx'
import { leadListKey, loadLeadPage } from './lead-queries.ts'
import styles from './leads.module.css'

const route = getRouteApi('/leads')

export function LeadsPage() {
  const search = route.useSearch()
  const me = useMe()
  const now = useNow()
  const pages = usePages(leadListKey(search), loadLeadPage(search))
  const columns = useMemo(() => leadColumns(now, me.locale), [now, me.locale])
  const [activeIndex, setActive] = useState(0)
  const move = (by: number) => setActive((index) => Math.max(0, Math.min(pages.rowCount - 1, index + by)))
  useCommands([
    {
      id: 'list:next',
      label: 'Next row',
      group: 'List',
      keys: ['j', 'ArrowDown'],
      isListed: false,
      run: () => move(1),
    },
    {
      id: 'list:previous',
      label: 'Previous row',
      group: 'List',
      keys: ['k', 'ArrowUp'],
      isListed: false,
      run: () => move(-1),
    },
  ])
  return (
    <>
      <PageHeader
        title={leadTexts.title}
        actions={
          can(me, 'leads.write') && (
            <Button variant="primary" icon={<Plus size={15} />} keys="c">
              {leadTexts.newLead}
            </Button>
          )
        }
      />
      <div className={styles.list}>
        {pages.error ? (
          <ProblemState error={pages.error} part={leadTexts.list} retry={pages.retry} />
        ) : pages.isPending ? (
          <Skeleton rows={16} />
        ) : (
          <DataGrid
            label={leadTexts.list}
            columns={columns}
            rowCount={pages.rowCount}
            getRow={pages.getRow}
            renderCard={(lead) => <span>{nameOfLead(lead)}</span>}
            nameOf={nameOfLead}
            activeIndex={activeIndex}
            setActive={setActive}
            open={() => {}}
            showRows={pages.showRows}
          />
        )}
      </div>
    </>
  )
}
