import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { FilterChip } from '../../../patterns/list/filter-chip.tsx'
import { PersonPicker } from '../../../patterns/person-picker.tsx'
import { userQuery } from '../../../patterns/shared-queries.ts'
import { can, useMe } from '../../../session/me.ts'
import { cadencePeopleTexts as texts } from '../../../texts/en/cadence-people-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { MenuButton } from '../../../ui/menu.tsx'
import { type Cadence, statsQuery } from '../cadence-queries.ts'
import {
  type CadenceSearch,
  type ChangeSearch,
  type EnrollmentStatus,
  enrollmentStatuses,
} from '../record/cadence-search.ts'
import { titleOf } from '../steps/step-words.ts'
import styles from './people.module.css'

const reasons = ['replied', 'meeting_booked', 'bounced', 'opted_out', 'converted', 'disqualified', 'removed'] as const

type FilterProps = { cadence: Cadence; search: CadenceSearch; change: ChangeSearch; total: number | null }

/** States as buttons; step, sender and reason as chips. */
export function PeopleFilters({ cadence, search, change, total }: FilterProps) {
  const { locale } = useMe()
  // The numbers of all states are shown if another part has read them.
  const { data: stats } = useQuery({ ...statsQuery(cadence.id), enabled: false })
  const countOf = (status: EnrollmentStatus | undefined): number | null => {
    if (status === undefined) return cadence.enrolled_count
    const isOnly = search.status === status && !search.at && !search.sender && !search.reason
    return isOnly ? total : (stats?.totals[status] ?? null)
  }
  const set = (changes: Partial<CadenceSearch>) => change(changes, { isReplaced: true })
  return (
    <div className={styles.filters}>
      <fieldset aria-label={texts.pillList}>
        {[undefined, ...enrollmentStatuses].map((status) => {
          const count = countOf(status)
          return (
            <button
              key={status ?? 'all'}
              type="button"
              className={styles.pill}
              aria-pressed={search.status === status}
              onClick={() => set({ status, ...(status !== 'exited' && { reason: undefined }) })}
            >
              {status ? texts.pills[status] : texts.all}
              {count !== null && <span> {formatNumber(count, locale)}</span>}
            </button>
          )
        })}
      </fieldset>
      <div className={styles.chips}>
        <StepFilter {...{ cadence, search, set }} />
        <SenderFilter {...{ search, set }} />
        {search.status === 'exited' && <ReasonFilter {...{ search, set }} />}
      </div>
    </div>
  )
}

type ChipProps = { search: CadenceSearch; set: (changes: Partial<CadenceSearch>) => void }

function StepFilter({ cadence, search, set }: ChipProps & { cadence: Cadence }) {
  const chosen = cadence.steps.find(({ id }) => id === search.at)
  const items = cadence.steps.map((step) => ({
    kind: 'choice' as const,
    label: texts.stepChoice(step.position, titleOf(step)),
    isChosen: step.id === search.at,
    run: () => set({ at: step.id === search.at ? undefined : step.id }),
  }))
  if (items.length === 0) return null
  return (
    <FilterMenu
      name={texts.filters.step}
      value={chosen ? texts.stepChoice(chosen.position, titleOf(chosen)) : undefined}
      items={items}
      remove={() => set({ at: undefined })}
    />
  )
}

function ReasonFilter({ search, set }: ChipProps) {
  const chosen = reasons.find((reason) => reason === search.reason)
  return (
    <FilterMenu
      name={texts.filters.reason}
      value={chosen && texts.states[chosen]}
      items={reasons.map((reason) => ({
        kind: 'choice' as const,
        label: texts.states[reason],
        isChosen: reason === chosen,
        run: () => set({ reason: reason === chosen ? undefined : reason }),
      }))}
      remove={() => set({ reason: undefined })}
    />
  )
}

type MenuProps = {
  name: string
  value: string | undefined
  items: Parameters<typeof MenuButton>[0]['items']
  remove: () => void
}

const FilterMenu = ({ name, value, items, remove }: MenuProps) =>
  value === undefined ? (
    <MenuButton label={texts.filter(name)} items={items} variant="quiet" size="small" icon={<Plus size={13} />}>
      {name}
    </MenuButton>
  ) : (
    <FilterChip label={name} remove={remove}>
      <MenuButton label={texts.filter(name)} items={items} variant="plain">
        {value}
      </MenuButton>
    </FilterChip>
  )

function SenderFilter({ search, set }: ChipProps) {
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({ ...userQuery(search.sender ?? ''), enabled: search.sender !== undefined })
  if (!can(me, 'users.read')) return null
  return (
    <>
      {search.sender ? (
        <FilterChip label={texts.filters.sender} remove={() => set({ sender: undefined })}>
          <button type="button" onClick={() => setOpen(true)}>
            {data?.name ?? '…'}
          </button>
        </FilterChip>
      ) : (
        <button type="button" className={styles.pill} onClick={() => setOpen(true)}>
          {texts.filters.sender}
        </button>
      )}
      {isOpen && (
        <PersonPicker
          title={texts.filter(texts.filters.sender)}
          first={[{ id: me.id, name: me.name }]}
          choose={({ id }) => {
            set({ sender: id ?? undefined })
            setOpen(false)
          }}
          close={() => setOpen(false)}
        />
      )}
    </>
  )
}
