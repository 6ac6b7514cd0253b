import { Check } from 'lucide-react'
import type { Column } from '../../patterns/grid/grid-model.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge, type Hue } from '../../ui/badge.tsx'
import { formatSince } from '../../ui/format.ts'
import styles from './people.module.css'
import type { Person } from './people-search.ts'

const hueOfStatus: Readonly<Record<Person['status'], Hue>> = {
  active: 'success',
  invited: 'info',
  deactivated: 'neutral',
  erased: 'neutral',
}

export const StatusBadge = ({ status }: { status: Person['status'] }) => (
  <Badge hue={hueOfStatus[status]}>{peopleTexts.statuses[status]}</Badge>
)

type ColumnOptions = {
  now: number
  locale: string
  /** Only admins see when other users were last active. */
  hasLastSeen: boolean
  isShort: boolean
  sort: Column<Person>['sort']
}

export function peopleColumns({ now, locale, hasLastSeen, isShort, sort }: ColumnOptions): Column<Person>[] {
  const { columns } = peopleTexts
  const all: (Column<Person> & { isShown?: boolean })[] = [
    {
      key: 'name',
      label: columns.name,
      width: 'minmax(240px, 2.4fr)',
      sort,
      render: ({ name, email }) => (
        <span className={styles.name}>
          <Avatar name={name} />
          <b>{name}</b>
          <span>{email}</span>
        </span>
      ),
    },
    { key: 'role', label: columns.role, width: 'minmax(100px, 0.6fr)', render: ({ role }) => peopleTexts.roles[role] },
    {
      key: 'status',
      label: columns.status,
      width: 'minmax(120px, 0.8fr)',
      render: ({ status }) => <StatusBadge status={status} />,
    },
    {
      key: 'teams',
      label: columns.teams,
      width: 'minmax(120px, 1fr)',
      isShown: !isShort,
      render: ({ teams }) => <span className={styles.soft}>{teams.map(({ name }) => name).join(', ')}</span>,
    },
    {
      key: 'seen',
      label: columns.lastSeen,
      width: '110px',
      isShown: hasLastSeen,
      render: ({ last_seen_at: at }) => <span className={styles.soft}>{at ? formatSince(at, now, locale) : ''}</span>,
    },
    {
      key: 'forecast',
      label: columns.forecast,
      width: '110px',
      isShown: !isShort,
      render: ({ forecast_participant: isIncluded }) =>
        isIncluded && (
          <span className={styles.included}>
            <Check size={14} />
            {peopleTexts.included}
          </span>
        ),
    },
  ]
  return all.filter(({ isShown = true }) => isShown)
}

export const PersonCard = ({ person }: { person: Person }) => (
  <span className={styles.card}>
    <Avatar name={person.name} size="medium" />
    <b>{person.name}</b>
    <StatusBadge status={person.status} />
    <span className={styles.soft}>{person.email}</span>
    <span className={styles.soft}>{peopleTexts.roles[person.role]}</span>
  </span>
)
