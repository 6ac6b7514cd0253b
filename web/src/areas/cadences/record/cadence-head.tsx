import { useMutation } from '@tanstack/react-query'
import { Check, Pause, Play, UserRoundPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { createCadence, deleteCadence, enrollInCadence, updateCadence } from '../../../api/access.gen.ts'
import { RecordHead } from '../../../patterns/record-head.tsx'
import { describeProblem, showRepeatableProblem } from '../../../patterns/show-problem.ts'
import { type Command, useCommands } from '../../../session/commands.ts'
import { type Me, may, mayDelete, useMe } from '../../../session/me.ts'
import { cadenceTexts as texts } from '../../../texts/en/cadence-texts.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { dayIn, formatDate, formatTime } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import { currentTimeZone } from '../../../ui/time-zone.ts'
import { showToast } from '../../../ui/toast.tsx'
import { type Cadence, changeCadence, storeCadence } from '../cadence-queries.ts'
import { StatusBadge } from '../status-badge.tsx'
import type { SaveState, Steps } from '../steps/use-steps.ts'
import styles from './cadence.module.css'
import type { ChangeSearch } from './cadence-search.ts'

const StartDialog = lazyPart(() => import('./start-dialog.tsx'), 'StartDialog')
const EndDialogs = lazyPart(() => import('./end-dialogs.tsx'), 'EndDialogs')
const DuplicateDialog = lazyPart(() => import('../create/create-dialog.tsx'), 'DuplicateDialog')
const EnrollDialog = lazyPart(() => import('../enroll/enroll-dialog.tsx'), 'EnrollDialog')

type DialogName = 'start' | 'enroll' | 'duplicate' | 'archive' | 'delete'
type HeadProps = { cadence: Cadence; steps: Steps; list: object; leave: () => void; change: ChangeSearch }
type Action = { id: string; label: string; icon?: ReactNode; isOffered: boolean; run: () => void }

export function CadenceHead({ cadence, steps, list, leave, change }: HeadProps) {
  const me = useMe()
  const [dialog, setDialog] = useState<DialogName>()
  const { id, name, version } = cadence
  const pause = useMutation({
    mutationFn: () => changeCadence(id, version, { status: 'paused' }),
    onSuccess(paused) {
      storeCadence(paused)
      showToast(texts.wasPaused(name))
    },
    onError: (error) => showRepeatableProblem(error, () => pause.mutate(), describeProblem(error, texts.problem)),
  })
  const actions = listActions(me, cadence, setDialog, () => pause.mutate())
  useCommands(
    Object.values(actions).map(
      ({ id: key, label, isOffered, run }): Command => ({
        id: `cadence:${key}`,
        label,
        group: texts.group,
        isAvailable: isOffered,
        run,
      }),
    ),
  )
  const primary = [actions.activate, actions.enroll, actions.resume].find(({ isOffered }) => isOffered)
  const menu = [actions.duplicate, actions.archive, actions.remove].filter(({ isOffered }) => isOffered)
  const close = () => setDialog(undefined)
  const dialogProps = { cadence, close, leave }
  return (
    <RecordHead
      list={{ to: '/cadences', search: list, label: texts.title }}
      name={name}
      badge={<StatusBadge {...cadence} />}
      note={may(me, updateCadence) && <SaveMark state={steps.state} savedAt={cadence.updated_at} retry={steps.retry} />}
    >
      {actions.pause.isOffered && (
        <Button
          icon={<Pause size={15} />}
          disabled={pause.isPending}
          className={styles.wide}
          onClick={actions.pause.run}
        >
          {texts.pause}
        </Button>
      )}
      {primary && (
        <Button variant="primary" icon={primary.icon} aria-label={primary.label} onClick={primary.run}>
          <span className={styles.wide}>{primary.label}</span>
        </Button>
      )}
      {(menu.length > 0 || actions.pause.isOffered) && (
        <MenuButton
          label={recordTexts.more}
          icon={<span aria-hidden="true">···</span>}
          variant="quiet"
          items={[...(actions.pause.isOffered ? [actions.pause] : []), ...menu].map(({ label, run }) => ({
            label,
            run,
          }))}
        />
      )}
      {dialog === 'start' && <StartDialog {...dialogProps} steps={steps} change={change} />}
      {dialog === 'enroll' && <EnrollDialog {...dialogProps} change={change} />}
      {dialog === 'duplicate' && <DuplicateDialog {...dialogProps} />}
      {(dialog === 'archive' || dialog === 'delete') && <EndDialogs {...dialogProps} action={dialog} />}
    </RecordHead>
  )
}

function listActions(me: Me, cadence: Cadence, open: (dialog: DialogName) => void, pause: () => void) {
  const { status, owner_id: ownerId } = cadence
  const mayUpdate = may(me, updateCadence)
  const isOwnOrManaged = mayDelete(me, 'cadences', ownerId) && may(me, deleteCadence)
  return {
    activate: {
      id: 'activate',
      label: texts.activate,
      icon: <Play size={15} />,
      isOffered: status === 'draft' && mayUpdate,
      run: () => open('start'),
    },
    enroll: {
      id: 'enroll',
      label: texts.enroll,
      icon: <UserRoundPlus size={15} />,
      isOffered: status === 'active' && may(me, enrollInCadence),
      run: () => open('enroll'),
    },
    resume: {
      id: 'resume',
      label: texts.resume,
      icon: <Play size={15} />,
      isOffered: status === 'paused' && mayUpdate,
      run: () => open('start'),
    },
    pause: { id: 'pause', label: texts.pause, isOffered: status === 'active' && mayUpdate, run: pause },
    duplicate: {
      id: 'duplicate',
      label: texts.duplicate,
      isOffered: may(me, createCadence),
      run: () => open('duplicate'),
    },
    archive: {
      id: 'archive',
      label: texts.archive,
      isOffered: status !== 'archived' && mayUpdate && isOwnOrManaged,
      run: () => open('archive'),
    },
    remove: {
      id: 'delete',
      label: texts.remove,
      isOffered: status === 'draft' && isOwnOrManaged,
      run: () => open('delete'),
    },
  } satisfies Record<string, Action>
}

function SaveMark({ state, savedAt, retry }: { state: SaveState; savedAt: string; retry: () => void }) {
  const { locale } = useMe()
  if (state === 'failed')
    return (
      <span className={styles.failed} role="status">
        {texts.saveStates.failed}
        <Button size="small" onClick={retry}>
          {texts.retry}
        </Button>
      </span>
    )
  return (
    <span className={styles.saved} role="status">
      {state === 'saved' && <Check size={14} />}
      {state === 'saved' ? texts.savedAt(formatDay(savedAt, locale)) : texts.saveStates[state]}
    </span>
  )
}

/** The time of today, the day of earlier changes. */
function formatDay(at: string, locale: string): string {
  const zone = currentTimeZone()
  const isToday = dayIn(zone, Date.parse(at)) === dayIn(zone, Date.now())
  return isToday ? formatTime(at, locale) : formatDate(at, locale)
}
