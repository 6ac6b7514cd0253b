import { useMutation } from '@tanstack/react-query'
import { Pause, Play, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Command, useCommands } from '../../session/commands.ts'
import { useMe } from '../../session/me.ts'
import { enrollmentTexts as texts } from '../../texts/en/enrollment-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatDateTime } from '../../ui/format.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { currentTimeZone } from '../../ui/time-zone.ts'
import { showToast } from '../../ui/toast.tsx'
import { describeProblem, showRepeatableProblem } from '../show-problem.ts'
import { useNow } from '../use-now.ts'
import { type EnrolledPerson, type Enrollment, updateEnrollment, useRefreshEnrollments } from './enrollment-api.ts'
import { describeStatus, describeStep, isLive } from './enrollment-status.ts'
import styles from './enrollments.module.css'

const RemoveDialog = lazyPart(() => import('./remove-dialog.tsx'), 'RemoveDialog')

const hues = { active: 'success', paused: 'warning', completed: 'neutral', exited: 'neutral' } as const

type ItemProps = { person: EnrolledPerson; enrollment: Enrollment; canEdit: boolean }
/** The short label is on the button, the whole one in the command menu. */
type Action = { id: string; short: string; label: string; icon: ReactNode; run: () => void }

export function EnrollmentItem({ person, enrollment, canEdit }: ItemProps) {
  const { locale } = useMe()
  const now = useNow()
  const [isRemoving, setRemoving] = useState(false)
  const refresh = useRefreshEnrollments(person)
  const { cadence, status, sender, enrolled_at: at } = enrollment
  const change = useMutation({
    mutationFn: (next: 'active' | 'paused') => updateEnrollment(enrollment, next),
    onSuccess: (_, next) =>
      showToast(next === 'paused' ? texts.wasPaused(cadence.name) : texts.wasResumed(cadence.name)),
    onError: (error, next) =>
      showRepeatableProblem(error, () => change.mutate(next), describeProblem(error, texts.problem)),
    onSettled: refresh,
  })
  const actions = canEdit && isLive(enrollment) ? listActions(enrollment, change.mutate, () => setRemoving(true)) : []
  useCommands(
    actions.map(
      ({ id, label, run }): Command => ({
        id: `enrollment:${enrollment.id}:${id}`,
        label,
        group: texts.group,
        isAvailable: !change.isPending,
        run,
      }),
    ),
  )
  const description = describeStatus(enrollment, { locale, zone: currentTimeZone() })
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <b>{cadence.name}</b>
        <Badge hue={hues[status]}>{texts.statuses[status]}</Badge>
      </div>
      <p>{describeStep(enrollment)}</p>
      {description && <p className={isLive(enrollment) ? styles.next : undefined}>{description}</p>}
      <small>
        {sender && `${texts.sender(sender.name)} · `}
        <time dateTime={at} title={formatDateTime(at, locale)}>
          {texts.enrolled(formatAgo(at, now, locale))}
        </time>
      </small>
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map(({ id, short, label, icon, run }) => (
            <Button key={id} size="small" icon={icon} aria-label={label} disabled={change.isPending} onClick={run}>
              {short}
            </Button>
          ))}
        </div>
      )}
      {isRemoving && <RemoveDialog person={person} enrollment={enrollment} close={() => setRemoving(false)} />}
    </li>
  )
}

function listActions(
  { status, cadence: { name } }: Enrollment,
  change: (next: 'active' | 'paused') => void,
  remove: () => void,
): Action[] {
  const pause: Action = {
    id: 'pause',
    short: texts.pause,
    label: texts.pauseIn(name),
    icon: <Pause size={14} />,
    run: () => change('paused'),
  }
  const resume: Action = {
    id: 'resume',
    short: texts.resume,
    label: texts.resumeIn(name),
    icon: <Play size={14} />,
    run: () => change('active'),
  }
  return [
    status === 'active' ? pause : resume,
    { id: 'remove', short: texts.remove, label: texts.removeFrom(name), icon: <X size={14} />, run: remove },
  ]
}
