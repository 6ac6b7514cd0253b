import { useQuery } from '@tanstack/react-query'
import { crmSettingsQuery } from '../../../patterns/crm-settings-query.ts'
import { FormDialog } from '../../../patterns/form-dialog.tsx'
import { weekdayName } from '../../../patterns/schedule-picker/weekdays.ts'
import { useForm } from '../../../patterns/use-form.ts'
import { useMe } from '../../../session/me.ts'
import { cadenceTexts as texts } from '../../../texts/en/cadence-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { showToast } from '../../../ui/toast.tsx'
import { type Cadence, changeCadence, loadCadence, statsQuery, storeCadence } from '../cadence-queries.ts'
import type { Steps } from '../steps/use-steps.ts'
import { useVariables } from '../steps/variables.ts'
import type { ChangeSearch } from './cadence-search.ts'
import styles from './checklist.module.css'
import { Checklist, useMissingParts } from './checklist.tsx'
import { nowIn, planFirstEmails } from './first-emails.ts'

type StartProps = { cadence: Cadence; steps: Steps; change: ChangeSearch; close: () => void }

/** Activates or continues a cadence: says what is missing, how many people get something and how many emails leave today. */
export function StartDialog(props: StartProps) {
  const { cadence, steps, change, close } = props
  const { values } = useVariables(true)
  const { parts, sending } = useMissingParts(steps, values)
  if (parts.length > 0)
    return (
      <Dialog
        title={texts.activateTitle(cadence.name)}
        close={close}
        footer={
          <>
            <Button onClick={close}>{texts.close}</Button>
            <Button variant="primary" disabled>
              {texts.thingsLeft(parts.length)}
            </Button>
          </>
        }
      >
        <Checklist
          {...{ steps, values }}
          open={(key) => {
            close()
            change({ tab: undefined, step: key })
          }}
        />
      </Dialog>
    )
  return <ConfirmStart {...props} isChecked={sending !== undefined && values !== undefined} />
}

function ConfirmStart({ cadence, steps, close, isChecked }: StartProps & { isChecked: boolean }) {
  const { locale } = useMe()
  const { id, name, status, live_count: live } = cadence
  const form = useForm(async () => {
    await steps.save()
    const { version } = await loadCadence(id)
    storeCadence(await changeCadence(id, version, { status: 'active' }))
    showToast(status === 'draft' ? texts.activated(name) : texts.wasResumed(name))
    close()
  }, texts.problem)
  const isResumed = status === 'paused'
  const title = !isResumed
    ? texts.activateTitle(name)
    : live > 0
      ? texts.resumeTitle(live, formatNumber(live, locale))
      : texts.resumeNobody(name)
  return (
    <FormDialog
      title={title}
      submit={isResumed ? texts.resume : texts.activate}
      form={isChecked ? form : { ...form, isPending: true }}
      close={close}
    >
      <p>{isResumed ? texts.resumeText : texts.activateDraft}</p>
      {!isChecked && <p role="status">{texts.checking}</p>}
      {isResumed && live > 0 && <DueEmails cadence={cadence} />}
    </FormDialog>
  )
}

/** The emails of people who wait for one. */
function DueEmails({ cadence }: { cadence: Cadence }) {
  const { data } = useQuery(statsQuery(cadence.id))
  const people = data?.steps.filter(({ type }) => type === 'email_auto').reduce((sum, { waiting }) => sum + waiting, 0)
  return people ? <FirstEmails cadence={cadence} people={people} /> : null
}

export function FirstEmails({ cadence, people }: { cadence: Cadence; people: number }) {
  const me = useMe()
  const { data: settings } = useQuery(crmSettingsQuery)
  if (!settings) return null
  const { window, timezone } = cadence
  const limit = settings.sending.daily_limit_per_sender
  const now = nowIn(timezone ?? me.tenant.general.timezone, Date.now())
  const { today, from, later, nextDay } = planFirstEmails({ people, dailyLimit: limit, window, now })
  const format = (value: number) => formatNumber(value, me.locale)
  return (
    <dl className={styles.plan}>
      <div>
        <dt>{from ? texts.todayFrom(from) : texts.today}</dt>
        <dd>{texts.atMost(today, format(today))}</dd>
      </div>
      {later > 0 && (
        <div>
          <dt>
            {nextDay === undefined
              ? texts.laterDays(limit, format(limit))
              : texts.nextDay(weekdayName(nextDay, me.locale, 'long'))}
          </dt>
          <dd>{format(later)}</dd>
        </div>
      )}
    </dl>
  )
}
