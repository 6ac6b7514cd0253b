import { Search } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import styles from './people.module.css'
import { type PeopleSearch, type Role, roles, type Status, statuses } from './people-search.ts'

const typingMs = 250

type FiltersProps = {
  search: PeopleSearch
  change: (changes: Partial<PeopleSearch>, options?: { isReplaced?: boolean }) => void
  searchField: RefObject<HTMLInputElement | null>
}

export function PeopleFilters({ search, change, searchField }: FiltersProps) {
  return (
    <>
      <SearchField search={search} change={change} searchField={searchField} />
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

/** Searches shortly after the last key. A change of the URL from elsewhere replaces the text. */
function SearchField({ search: { q = '' }, change, searchField }: FiltersProps) {
  const [typed, setTyped] = useState(q)
  useEffect(() => setTyped(q), [q])
  useEffect(() => {
    if (typed === q) return
    const timer = setTimeout(() => change({ q: typed.trim() || undefined }, { isReplaced: true }), typingMs)
    return () => clearTimeout(timer)
  }, [typed, q, change])
  return (
    <label className={styles.search}>
      <Search size={15} />
      <span className="visually-hidden">{peopleTexts.search}</span>
      <input
        ref={searchField}
        type="search"
        autoComplete="off"
        maxLength={200}
        placeholder={peopleTexts.search}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          setTyped('')
          event.currentTarget.blur()
        }}
      />
    </label>
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
