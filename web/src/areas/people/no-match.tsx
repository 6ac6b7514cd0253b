import { Funnel, X } from 'lucide-react'
import { State } from '../../patterns/states.tsx'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { Button } from '../../ui/button.tsx'
import type { PeopleSearch } from './people-search.ts'

/** Shown when the filters leave no row. Each filter can be removed. */
export function NoMatch({
  search: { q, role, status },
  change,
}: {
  search: PeopleSearch
  change: (changes: Partial<PeopleSearch>) => void
}) {
  const filters = [
    q && { label: `“${q}”`, remove: { q: undefined } },
    role && { label: peopleTexts.roles[role], remove: { role: undefined } },
    status && { label: peopleTexts.statuses[status], remove: { status: undefined } },
  ].filter((filter) => typeof filter === 'object')
  return (
    <State
      icon={<Funnel size={20} />}
      hue="neutral"
      title={peopleTexts.noMatch}
      actions={filters.map(({ label, remove }) => (
        <Button
          key={label}
          size="small"
          icon={<X size={13} />}
          aria-label={peopleTexts.removeFilter(label)}
          onClick={() => change(remove)}
        >
          {label}
        </Button>
      ))}
    >
      {peopleTexts.noMatchText}
    </State>
  )
}
