import { Plus } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { usePages } from '../../api/pages.ts'
import { DataGrid } from '../../patterns/grid/data-grid.tsx'
import { useListCommands } from '../../patterns/grid/use-list-commands.ts'
import { KeyHint, ListFoot } from '../../patterns/list/list-foot.tsx'
import { PageBar, PageHeader } from '../../patterns/page-header.tsx'
import { renderFailedPanel } from '../../patterns/record/failed-panel.tsx'
import { NoPermissionPage, ProblemState, Skeleton } from '../../patterns/states.tsx'
import { useNow } from '../../patterns/use-now.ts'
import { useCommands } from '../../session/commands.ts'
import { can, useMe } from '../../session/me.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { NoMatch } from './no-match.tsx'
import styles from './people.module.css'
import { PersonCard, peopleColumns } from './people-columns.tsx'
import { PeopleFilters } from './people-filters.tsx'
import { loadPeoplePage, peopleListKey } from './people-queries.ts'
import type { Person } from './people-search.ts'
import { usePeopleSearch } from './use-people-search.ts'

const InviteDialog = lazyPart(() => import('./invite-dialog.tsx'), 'InviteDialog')
const PersonPanel = lazyPart(() => import('./person-panel.tsx'), 'PersonPanel', { renderFailure: renderFailedPanel })

export function PeoplePage() {
  const me = useMe()
  return can(me, 'users.read') ? <PeopleList /> : <NoPermissionPage area={peopleTexts.area} scope="users.read" />
}

function PeopleList() {
  const me = useMe()
  const now = useNow()
  const { search, change } = usePeopleSearch()
  const pages = usePages(peopleListKey(search), loadPeoplePage(search))
  const [isInviting, setInviting] = useState(false)
  const searchField = useRef<HTMLInputElement>(null)
  const isOpen = search.open !== undefined
  const mayInvite = can(me, 'users.write')

  const openPerson = useCallback(
    ({ id }: { id: string }) => change({ open: id }, { isReplaced: isOpen }),
    [change, isOpen],
  )
  const closePanel = useCallback(() => change({ open: undefined }), [change])
  const openAt = (index: number) => {
    const person = pages.getRow(index)
    if (person) openPerson(person)
  }
  const cursor = useListCommands({
    rows: pages,
    open: openAt,
    close: closePanel,
    isPanelOpen: isOpen,
  })
  const openIndex = search.open ? pages.findIndex(search.open) : -1
  useEffect(() => {
    if (openIndex >= 0) cursor.set(openIndex)
  }, [openIndex, cursor.set])
  useCommands([
    {
      id: 'list:search',
      label: peopleTexts.search,
      group: peopleTexts.title,
      keys: ['/'],
      run: () => searchField.current?.focus(),
    },
    {
      id: 'people:invite',
      label: peopleTexts.invite,
      group: peopleTexts.title,
      keys: ['c'],
      isAvailable: mayInvite,
      run: () => setInviting(true),
    },
  ])

  const { sort } = search
  const columns = useMemo(
    () =>
      peopleColumns({
        now,
        locale: me.locale,
        hasLastSeen: me.role === 'admin',
        isShort: isOpen,
        sort: {
          direction: sort ? 'desc' : 'asc',
          toggle: () => change({ sort: sort ? undefined : '-name' }),
        },
      }),
    [now, me.locale, me.role, isOpen, sort, change],
  )
  const isFiltered = Boolean(search.q || search.role || search.status)
  return (
    <>
      <PageHeader
        title={peopleTexts.title}
        actions={
          mayInvite && (
            <Button variant="primary" icon={<Plus size={15} />} keys="c" onClick={() => setInviting(true)}>
              {peopleTexts.invite}
            </Button>
          )
        }
      />
      <PageBar>
        <PeopleFilters search={search} change={change} searchField={searchField} />
        {pages.total !== null && (
          <span className={styles.total} role="status">
            {peopleTexts.count(`${formatNumber(pages.total, me.locale)}${pages.isExact ? '' : '+'}`)}
          </span>
        )}
      </PageBar>
      <div className={`${styles.split} ${isOpen ? styles.withPanel : ''}`}>
        <div className={styles.list}>
          {pages.error ? (
            <ProblemState error={pages.error} part={peopleTexts.list} retry={pages.retry} />
          ) : pages.isPending ? (
            <Skeleton rows={12} />
          ) : pages.rowCount === 0 ? (
            <NoMatch search={search} change={change} />
          ) : (
            <>
              {pages.total === 1 && !isFiltered && mayInvite && <p className={styles.alone}>{peopleTexts.alone}</p>}
              <DataGrid<Person>
                label={peopleTexts.list}
                columns={columns}
                rowCount={pages.rowCount}
                getRow={pages.getRow}
                renderCard={(person) => <PersonCard person={person} />}
                nameOf={({ name }) => name}
                cursor={cursor}
                openId={search.open}
                open={openPerson}
                showRows={pages.showRows}
              />
              <ListFoot
                list={{ pages, me }}
                activeIndex={cursor.index}
                hints={<KeyHint keys="Enter">{peopleTexts.openRow}</KeyHint>}
              />
            </>
          )}
        </div>
        {search.open && (
          <PersonPanel
            userId={search.open}
            row={pages.getRow(openIndex)}
            position={openIndex < 0 ? undefined : listTexts.position(openIndex + 1, String(pages.rowCount))}
            goTo={{
              previous: openIndex > 0 ? () => openAt(openIndex - 1) : undefined,
              next: openIndex < pages.rowCount - 1 ? () => openAt(openIndex + 1) : undefined,
            }}
            close={closePanel}
          />
        )}
      </div>
      {isInviting && <InviteDialog close={() => setInviting(false)} openPerson={openPerson} />}
    </>
  )
}
