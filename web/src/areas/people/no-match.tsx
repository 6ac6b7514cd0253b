import { FilterChip } from '../../patterns/list/filter-chip.tsx'
import { NoMatch as NoMatchState } from '../../patterns/list/no-match.tsx'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import type { PeopleSearch } from './people-search.ts'

export function NoMatch({
  search: { q, role, status },
  change,
}: {
  search: PeopleSearch
  change: (changes: Partial<PeopleSearch>) => void
}) {
  return (
    <NoMatchState
      title={peopleTexts.noMatch}
      text={peopleTexts.noMatchText}
      chips={
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
    />
  )
}
