import { useNavigate } from '@tanstack/react-router'
import { SearchX, Users } from 'lucide-react'
import { useMemo } from 'react'
import { listCadenceEnrollments, updateCadenceEnrollment } from '../../../api/access.gen.ts'
import { usePages } from '../../../api/pages.ts'
import { DataGrid } from '../../../patterns/grid/data-grid.tsx'
import { useListCommands } from '../../../patterns/grid/use-list-commands.ts'
import { useSelection } from '../../../patterns/grid/use-selection.ts'
import { NoPermissionState, ProblemState, Skeleton, State } from '../../../patterns/states.tsx'
import { useNow } from '../../../patterns/use-now.ts'
import { may, useMe } from '../../../session/me.ts'
import { cadencePeopleTexts as texts } from '../../../texts/en/cadence-people-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { Kbd } from '../../../ui/kbd.tsx'
import type { Cadence } from '../cadence-queries.ts'
import type { CadenceSearch, ChangeSearch } from '../record/cadence-search.ts'
import { EnrollResult } from './enroll-result.tsx'
import { type Enrollment, isLive, nameOf, pathOf } from './enrollment-rows.ts'
import styles from './people.module.css'
import { PeopleBar } from './people-bar.tsx'
import { PersonCard, peopleColumns } from './people-columns.tsx'
import { PeopleFilters } from './people-filters.tsx'
import { loadPeople, peopleKey } from './people-queries.ts'

type PartProps = { cadence: Cadence; search: CadenceSearch; change: ChangeSearch }

/** The people who are or were in the cadence, what happens to them next, and the actions for several of them. */
export function PeoplePart(props: PartProps) {
  const me = useMe()
  return may(me, listCadenceEnrollments) ? (
    <People {...props} />
  ) : (
    <NoPermissionState area={texts.people} scope="contacts.read" />
  )
}

const noFilters = { status: undefined, reason: undefined, at: undefined, sender: undefined }

function People({ cadence, search, change }: PartProps) {
  const me = useMe()
  const now = useNow()
  const navigate = useNavigate()
  const pages = usePages<Enrollment>(peopleKey(cadence.id, search), loadPeople(cadence.id, search))
  const mayChange = may(me, updateCadenceEnrollment)
  const chosen = useSelection(pages)
  const openPerson = (row: Enrollment | undefined) => {
    const path = row && pathOf(row)
    if (path) void navigate({ to: path as '/' })
  }
  const cursor = useListCommands({
    rows: pages,
    open: (index) => openPerson(pages.getRow(index)),
    close: chosen.clear,
    isPanelOpen: false,
    ...(mayChange && { toggle: chosen.toggle, toggleRange: chosen.toggleRange }),
  })
  const columns = useMemo(() => peopleColumns({ cadence, now, locale: me.locale }), [cadence, now, me.locale])
  const isFiltered = Object.keys(noFilters).some((name) => search[name as keyof typeof noFilters])
  const selected = pages.loaded.filter(({ id }) => chosen.ids.has(id))
  return (
    <div className={styles.part}>
      <PeopleFilters {...{ cadence, search, change }} total={pages.total} />
      <EnrollResult cadenceId={cadence.id} />
      {pages.error ? (
        <ProblemState error={pages.error} part={texts.people} retry={pages.retry} />
      ) : pages.isPending ? (
        <Skeleton rows={10} />
      ) : pages.rowCount === 0 && isFiltered ? (
        <State
          icon={<SearchX size={20} />}
          hue="violet"
          title={texts.noMatch}
          actions={<Button onClick={() => change(noFilters)}>{texts.clearFilters}</Button>}
        >
          {texts.noMatchText}
        </State>
      ) : pages.rowCount === 0 ? (
        <State icon={<Users size={20} />} hue="info" title={texts.none.title}>
          {cadence.status === 'draft' || cadence.status === 'active' ? texts.none[cadence.status] : texts.none.other}
        </State>
      ) : (
        <>
          <DataGrid<Enrollment>
            label={texts.list}
            columns={columns}
            rowCount={pages.rowCount}
            getRow={pages.getRow}
            renderCard={(row) => <PersonCard row={row} {...{ cadence, now }} locale={me.locale} />}
            nameOf={nameOf}
            cursor={cursor}
            selection={mayChange ? chosen.selection : undefined}
            open={openPerson}
            showRows={pages.showRows}
          />
          <Foot position={cursor.index + 1} count={pages.total ?? pages.rowCount} mayChange={mayChange} />
        </>
      )}
      {selected.length > 0 && (
        <PeopleBar
          cadenceId={cadence.id}
          people={selected.filter(isLive)}
          count={selected.length}
          clear={chosen.clear}
        />
      )}
    </div>
  )
}

function Foot({ position, count, mayChange }: { position: number; count: number; mayChange: boolean }) {
  const { locale } = useMe()
  return (
    <div className={styles.foot}>
      <span className="number">{texts.position(formatNumber(position, locale), formatNumber(count, locale))}</span>
      <span>
        <Kbd keys="j" />
        <Kbd keys="k" />
        {texts.move}
      </span>
      {mayChange && (
        <span>
          <Kbd keys="x" />
          {texts.select}
        </span>
      )}
    </div>
  )
}
