import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { isProblem } from '../../api/problem.ts'
import { useMe } from '../../app/me.ts'
import { NotFoundState, ProblemState, Skeleton } from '../../patterns/states.tsx'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import styles from './panel.module.css'
import { StatusBadge } from './people-columns.tsx'
import { profileQuery } from './people-queries.ts'
import type { Person } from './people-search.ts'
import { PersonActions } from './person-actions.tsx'
import { OwnedRecords, PersonDetails, SignInDetails } from './person-details.tsx'

type PanelProps = {
  userId: string
  /** The row of the list, which is shown until the profile is loaded. */
  row: Person | undefined
  position: string
  move: (by: number) => void
  close: () => void
}

export function PersonPanel({ userId, row, position, move, close }: PanelProps) {
  const { data, error, refetch } = useQuery(profileQuery(userId))
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  const person = data?.user ?? row
  return (
    <aside className={styles.panel} aria-label={person?.name ?? peopleTexts.group} ref={panel} tabIndex={-1}>
      <header className={styles.top}>
        <span className={styles.position}>{position}</span>
        <IconButton
          label={peopleTexts.previousPerson}
          size="small"
          icon={<ChevronUp size={16} />}
          onClick={() => move(-1)}
        />
        <IconButton
          label={peopleTexts.nextPerson}
          size="small"
          icon={<ChevronDown size={16} />}
          onClick={() => move(1)}
        />
        <IconButton
          label={peopleTexts.closePanel}
          size="small"
          className={styles.close}
          icon={<X size={16} />}
          onClick={close}
        />
      </header>
      <div className={styles.body}>
        {person && <PersonHeader person={person} />}
        {person && <PersonActions key={person.id} person={person} book={data?.book ?? null} />}
        {isProblem(error, 'not_found') ? (
          <NotFoundState title={peopleTexts.notFound} text={peopleTexts.notFoundText} />
        ) : error ? (
          <ProblemState error={error} part={peopleTexts.details} retry={() => void refetch()} />
        ) : data ? (
          <>
            <OwnedRecords book={data.book} />
            <PersonDetails person={data.user} />
            <SignInDetails person={data.user} />
          </>
        ) : (
          <Skeleton rows={5} />
        )}
      </div>
    </aside>
  )
}

function PersonHeader({ person: { id, name, title, email, role, status } }: { person: Person }) {
  const me = useMe()
  return (
    <div className={styles.who}>
      <Avatar name={name} size="large" />
      <div>
        <h2>{name}</h2>
        <p>{title ?? email}</p>
        <p className={styles.badges}>
          <StatusBadge status={status} />
          <Badge hue="neutral" hasDot={false}>
            {peopleTexts.roles[role]}
          </Badge>
          {id === me.id && (
            <Badge hue="violet" hasDot={false}>
              {peopleTexts.you}
            </Badge>
          )}
        </p>
      </div>
    </div>
  )
}
