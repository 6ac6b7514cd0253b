import { can, useMe } from '../../session/me.ts'
import { enrollmentTexts as texts } from '../../texts/en/enrollment-texts.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemState, Skeleton } from '../states.tsx'
import { type EnrolledPerson, useEnrollments } from './enrollment-api.ts'
import { EnrollmentItem } from './enrollment-item.tsx'
import { sortByLiveness } from './enrollment-status.ts'
import styles from './enrollments.module.css'

/** The cadences of a lead or contact, with the actions that stop them. */
export function PersonEnrollments({ person }: { person: EnrolledPerson }) {
  const me = useMe()
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useEnrollments(person)
  if (isPending) return <Skeleton rows={3} />
  if (error) return <ProblemState error={error} part={texts.cadences} retry={() => void refetch()} />
  const enrollments = sortByLiveness(data.pages.flatMap(({ items }) => items))
  if (enrollments.length === 0) return <p className={styles.none}>{texts.none}</p>
  return (
    <>
      <ul className={styles.items}>
        {enrollments.map((enrollment) => (
          <EnrollmentItem
            key={enrollment.id}
            person={person}
            enrollment={enrollment}
            canEdit={can(me, 'cadences.write')}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          variant="quiet"
          className={styles.more}
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {texts.showEarlier}
        </Button>
      )}
    </>
  )
}
