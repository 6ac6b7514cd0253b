import { Funnel } from 'lucide-react'
import { FilterChip } from '../../patterns/filter-chip.tsx'
import { State } from '../../patterns/states.tsx'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import type { PeopleSearch } from './people-search.ts'

/** Shown when the filters leave no row. Each filter can be removed. */
export function NoMatch({
  search: { q, role, status },
  change,
}: {
  search: PeopleSearch
  change: (changes: Partial<PeopleSearch>) => void
}) {
  return (
    <State
      icon={<Funnel size={20} />}
      hue="neutral"
      title={peopleTexts.noMatch}
      actions={
        <>
          {q && (
            <FilterChip label={peopleTexts.filterSearch} remove={() => change({ q: undefined })}>
              <span>{q}</span>
            </FilterChip>
          )}
          {role && (
            <FilterChip label={peopleTexts.filterRole} remove={() => change({ role: undefined })}>
              <span>{peopleTexts.roles[role]}</span>
            </FilterChip>
          )}
          {status && (
            <FilterChip label={peopleTexts.filterStatus} remove={() => change({ status: undefined })}>
              <span>{peopleTexts.statuses[status]}</span>
            </FilterChip>
          )}
        </>
      }
    >
      {peopleTexts.noMatchText}
    </State>
  )
}
