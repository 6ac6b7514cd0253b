import { useMutation } from '@tanstack/react-query'
import { Pause, Play, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { useRaisedToasts } from '../../../patterns/list/bulk/use-raised-toasts.ts'
import { sendEach } from '../../../patterns/list/send-each.ts'
import { describeProblem, showProblem } from '../../../patterns/show-problem.ts'
import { useForm } from '../../../patterns/use-form.ts'
import { useCommands } from '../../../session/commands.ts'
import { useMe } from '../../../session/me.ts'
import { cadencePeopleTexts as texts } from '../../../texts/en/cadence-people-texts.ts'
import { cadenceTexts } from '../../../texts/en/cadence-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toast.tsx'
import { refreshPeople } from '../cadence-queries.ts'
import type { Enrollment } from './enrollment-rows.ts'
import styles from './people.module.css'
import { type NextStatus, updateEnrollment } from './people-queries.ts'

type BarProps = {
  cadenceId: string
  /** The selected people who are still in the cadence. */
  people: readonly Enrollment[]
  count: number
  clear: () => void
}

/** Enrollments that change to each state. */
const changeable: Readonly<Record<NextStatus, (enrollment: Enrollment) => boolean>> = {
  paused: ({ status }) => status === 'active',
  active: ({ status }) => status === 'paused',
  exited: () => true,
}

/** Pauses, continues or removes the selected people. */
export function PeopleBar({ cadenceId, people, count, clear }: BarProps) {
  const { locale } = useMe()
  const bar = useRef<HTMLElement>(null)
  const [asked, setAsked] = useState<'paused' | 'exited'>()
  useRaisedToasts(bar)
  const format = (value: number) => formatNumber(value, locale)
  const change = useMutation({
    mutationFn: (status: NextStatus) =>
      sendEach(people.filter(changeable[status]), (enrollment) => updateEnrollment(enrollment, status)),
    async onSuccess({ done, failed }, status) {
      clear()
      if (done.length > 0) showToast(texts.done[status](done.length, format(done.length)))
      const [first] = failed
      if (first)
        showProblem(
          first.error,
          `${texts.failed(failed.length, format(failed.length))} ${describeProblem(first.error, texts.problem)}`,
        )
      await refreshPeople(cadenceId)
    },
  })
  const numbers = {
    paused: people.filter(changeable.paused).length,
    active: people.filter(changeable.active).length,
    exited: people.length,
  }
  const pause = () => (numbers.paused > 1 ? setAsked('paused') : change.mutate('paused'))
  useCommands([
    {
      id: 'people:pause',
      label: texts.pause,
      group: cadenceTexts.group,
      keys: ['p'],
      isAvailable: numbers.paused > 0 && !change.isPending,
      run: pause,
    },
    {
      id: 'people:resume',
      label: texts.resume,
      group: cadenceTexts.group,
      isAvailable: numbers.active > 0 && !change.isPending,
      run: () => change.mutate('active'),
    },
    {
      id: 'people:remove',
      label: texts.remove,
      group: cadenceTexts.group,
      isAvailable: numbers.exited > 0 && !change.isPending,
      run: () => setAsked('exited'),
    },
  ])
  const isIdle = !change.isPending
  return (
    <section ref={bar} className={styles.bulk} aria-label={texts.bulk}>
      <span className={styles.count} role="status">
        {isIdle ? texts.selected(format(count)) : texts.working}
      </span>
      <Button
        size="small"
        icon={<Pause size={14} />}
        keys="p"
        disabled={!isIdle || numbers.paused === 0}
        onClick={pause}
      >
        {texts.pause}
      </Button>
      <Button
        size="small"
        icon={<Play size={14} />}
        disabled={!isIdle || numbers.active === 0}
        onClick={() => change.mutate('active')}
      >
        {texts.resume}
      </Button>
      <Button
        size="small"
        variant="danger"
        icon={<X size={14} />}
        disabled={!isIdle || numbers.exited === 0}
        onClick={() => setAsked('exited')}
      >
        {texts.remove}
      </Button>
      <IconButton size="small" label={texts.clear} icon={<X size={15} />} onClick={clear} />
      {asked && (
        <ConfirmDialog
          action={asked}
          count={numbers[asked]}
          run={() => change.mutateAsync(asked)}
          close={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

type ConfirmProps = { action: 'paused' | 'exited'; count: number; run: () => Promise<unknown>; close: () => void }

function ConfirmDialog({ action, count, run, close }: ConfirmProps) {
  const { locale } = useMe()
  const text = formatNumber(count, locale)
  const form = useForm(async () => {
    await run()
    close()
  })
  const title = action === 'exited' ? texts.removeTitle(count, text) : texts.pauseTitle(count, text)
  return (
    <FormDialog title={title} submit={title} variant={action === 'exited' ? 'danger' : 'primary'} {...{ form, close }}>
      <p>{action === 'exited' ? texts.removeText : texts.pauseText}</p>
    </FormDialog>
  )
}
