import { useMutation, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { queryClient } from '../../api/queries.ts'
import { describeProblem, showRepeatableProblem } from '../../patterns/show-problem.ts'
import { ProblemState, Skeleton } from '../../patterns/states.tsx'
import { useNow } from '../../patterns/use-now.ts'
import { useMe } from '../../session/me.ts'
import { settingsTexts, signInTexts } from '../../texts/en/settings-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatDateTime, formatSince } from '../../ui/format.ts'
import { showToast } from '../../ui/toast.tsx'
import { Card, SectionHeader } from './card.tsx'
import { describeDevice } from './describe-device.ts'
import styles from './settings.module.css'
import { type OwnSession, revokeOtherSessions, revokeSession, sessionsQuery } from './settings-queries.ts'

export function SignInsSection() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const revokeOthers = useSessionAction(revokeOtherSessions, ({ sessions_revoked }) =>
    signInTexts.othersRevoked(sessions_revoked),
  )
  const hasOthers = data?.items.some(({ current }) => !current)
  return (
    <>
      <SectionHeader title={settingsTexts.sections['sign-ins']} text={signInTexts.text} />
      <Card
        title={signInTexts.sessions}
        text={hasOthers === false ? signInTexts.onlyThis : undefined}
        action={
          hasOthers && (
            <Button disabled={revokeOthers.isPending} onClick={() => revokeOthers.mutate()}>
              {signInTexts.revokeOthers}
            </Button>
          )
        }
      >
        {error ? (
          <ProblemState error={error} part={signInTexts.sessions} retry={() => void refetch()} />
        ) : data ? (
          <ul className={styles.rows}>
            {data.items.toSorted(compareSessions).map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        ) : (
          <Skeleton rows={3} />
        )}
      </Card>
    </>
  )
}

/** The current session first, then the one that was used last. */
const compareSessions = (one: OwnSession, other: OwnSession): number =>
  Number(other.current) - Number(one.current) || other.last_seen_at.localeCompare(one.last_seen_at)

function SessionRow({ session }: { session: OwnSession }) {
  const { locale } = useMe()
  const now = useNow()
  const { browser, system, isPhone } = describeDevice(session.user_agent)
  const device = signInTexts.device(browser, system)
  const revoke = useSessionAction(
    () => revokeSession(session.id),
    () => signInTexts.revoked(device),
  )
  return (
    <li className={styles.row}>
      <span className={styles.what}>{isPhone ? <Smartphone size={16} /> : <Monitor size={16} />}</span>
      <div className={styles.grow}>
        <p className={styles.rowTitle}>
          <b>{device}</b>
          {session.current && <Badge hue="success">{signInTexts.current}</Badge>}
        </p>
        <p className={styles.soft}>
          {[
            session.ip,
            signInTexts.since(formatDateTime(session.created_at, locale)),
            !session.current && signInTexts.seen(formatSince(session.last_seen_at, now, locale)),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      {!session.current && (
        <Button
          size="small"
          aria-label={signInTexts.revokeLabel(device)}
          disabled={revoke.isPending}
          onClick={() => revoke.mutate()}
        >
          {signInTexts.revoke}
        </Button>
      )}
    </li>
  )
}

function useSessionAction<T>(run: () => Promise<T>, describeResult: (result: T) => string) {
  const action = useMutation({
    mutationFn: run,
    onSuccess: (result) => showToast(describeResult(result)),
    onError: (error) =>
      showRepeatableProblem(error, () => action.mutate(), settingsTexts.actionFailed(describeProblem(error))),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
  return action
}
