import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { isProblem } from '../../api/problem.ts'
import { RecordPanel } from '../../patterns/record/record-panel.tsx'
import { NotFoundState, ProblemState, Skeleton } from '../../patterns/states.tsx'
import { useMe } from '../../session/me.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import styles from './panel.module.css'
import { StatusBadge } from './people-columns.tsx'
import { profileQuery } from './people-queries.ts'
import type { Person } from './people-search.ts'
import { PersonActions } from './person-actions.tsx'
import { PersonDetails } from './person-details.tsx'
import { OwnedRecords, SignInDetails } from './person-figures.tsx'

type PanelProps = {
  userId: string
  /** The row of the list, which is shown until the profile is loaded. */
  row: Person | undefined
  position: string | undefined
  goTo: { previous?: () => void; next?: () => void }
  close: () => void
}

export function PersonPanel({ userId, row, position, goTo, close }: PanelProps) {
  const { data, error, refetch } = useQuery(profileQuery(userId))
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.focus(), [])
  const person = data?.user ?? row
  return (
    <div className={styles.frame} ref={frame} tabIndex={-1}>
      <RecordPanel
        label={person?.name ?? peopleTexts.group}
        position={position}
        path={`/people?open=${userId}`}
        goTo={goTo}
        close={close}
      >
        {person && <PersonHeader person={person} />}
        {person && <PersonActions key={person.id} person={person} book={data?.book ?? null} />}
        {isProblem(error, 'not_found') ? (
          <NotFoundState title={peopleTexts.notFound} text={peopleTexts.notFoundText} />
        ) : error ? (
          <ProblemState error={error} part={peopleTexts.details} retry={() => void refetch()} />
        ) : data ? (
          <>
            <OwnedRecords book={data.book} />
            <PersonDetails key={data.user.id} profile={data} />
            <SignInDetails person={data.user} />
          </>
        ) : (
          <Skeleton rows={5} />
        )}
      </RecordPanel>
    </div>
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
