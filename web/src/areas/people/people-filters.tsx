import type { RefObject } from 'react'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { SearchField } from '../../ui/search-field.tsx'
import styles from './people.module.css'
import { type PeopleSearch, type Role, roles, type Status, statuses } from './people-search.ts'

type FiltersProps = {
  search: PeopleSearch
  change: (changes: Partial<PeopleSearch>, options?: { isReplaced?: boolean }) => void
  searchField: RefObject<HTMLInputElement | null>
}

export function PeopleFilters({ search, change, searchField }: FiltersProps) {
  return (
    <>
      <SearchField
        ref={searchField}
        label={peopleTexts.search}
        keys="/"
        value={search.q ?? ''}
        change={(text) => change({ q: text || undefined }, { isReplaced: true })}
      />
      <FilterSelect
        label={peopleTexts.filterRole}
        all={peopleTexts.allRoles}
        value={search.role}
        options={roles.map((role) => ({ value: role, label: peopleTexts.roles[role] }))}
        onChange={(value) => change({ role: value as Role | undefined })}
      />
      <FilterSelect
        label={peopleTexts.filterStatus}
        all={peopleTexts.allStatuses}
        value={search.status}
        options={statuses.map((status) => ({ value: status, label: peopleTexts.statuses[status] }))}
        onChange={(value) => change({ status: value as Status | undefined })}
      />
    </>
  )
}

function FilterSelect({
  label,
  all,
  value,
  options,
  onChange,
}: {
  label: string
  all: string
  value: string | undefined
  options: readonly { value: string; label: string }[]
  onChange: (value: string | undefined) => void
}) {
  return (
    <select
      aria-label={label}
      className={`${styles.filter} ${value ? styles.chosen : ''}`}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
