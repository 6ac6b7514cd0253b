import { useIntent } from '../../api/intent.ts'
import { FormDialog } from '../../patterns/form-dialog.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { useMe } from '../../session/me.ts'
import { openTaskTexts as texts } from '../../texts/en/open-task-texts.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { fromTimeInput, toTimeInput } from '../../ui/time-zone.ts'
import { tomorrow } from './due-times.ts'
import { EmailDialog } from './email-dialog.tsx'
import type { TaskRow } from './join-tasks.ts'
import { completeOfCadence, skipTask, type useCompleteTask, type usePostponeTask } from './task-actions.ts'
import styles from './tasks.module.css'
import { useTypedText } from './use-typed-text.ts'

export type TaskDialogKind = 'done' | 'email' | 'due' | 'skip'

type DialogProps = {
  row: TaskRow
  close: () => void
  complete: ReturnType<typeof useCompleteTask>['mutate']
  postpone: ReturnType<typeof usePostponeTask>['mutate']
}

export function TaskDialog({ kind, ...props }: DialogProps & { kind: TaskDialogKind }) {
  if (kind === 'email') return <EmailDialog {...props} />
  if (kind === 'due') return <DueDialog {...props} />
  if (kind === 'skip') return <SkipDialog {...props} />
  return <DoneDialog {...props} />
}

const outcomes = Object.entries(recordTexts.composer.outcomes).map(([value, label]) => ({ value, label }))

/** Asks for the result of a task. A call has an outcome, which is logged with the notes. */
function DoneDialog({ row, close, complete }: DialogProps) {
  const isCall = row.cadence !== undefined && row.kind === 'call'
  const intent = useIntent()
  const notes = useTypedText(`task:${row.id}`)
  const form = useForm(async (data) => {
    const outcome = String(data.get('outcome') ?? '') || undefined
    if (row.cadence) {
      const body = isCall ? { outcome, body: notes.text || undefined } : { outcome: notes.text || undefined }
      await completeOfCadence(row, intent.keyOf(body), body)
    } else complete({ task: row.activity!, outcome: notes.text || undefined })
    notes.clear()
    close()
  }, texts.problem)
  return (
    <FormDialog title={isCall ? texts.callTitle : texts.doneTitle} submit={texts.done} form={form} close={close}>
      {row.cadence?.instructions && (
        <p className={styles.instructions}>
          <b>{texts.instructions}</b> {row.cadence.instructions}
        </p>
      )}
      {isCall && <SelectField label={texts.outcome} name="outcome" options={outcomes} error={form.errors.outcome} />}
      {isCall ? (
        <TextArea
          label={texts.notes}
          maxLength={10_000}
          value={notes.text}
          onChange={({ target }) => notes.change(target.value)}
          error={form.errors.body}
        />
      ) : (
        <TextField
          label={texts.result}
          maxLength={100}
          value={notes.text}
          onChange={({ target }) => notes.change(target.value)}
          error={form.errors.outcome}
        />
      )}
    </FormDialog>
  )
}

function DueDialog({ row, close, postpone }: DialogProps) {
  const { locale } = useMe()
  const form = useForm(async (data) => {
    const dueAt = fromTimeInput(String(data.get('due')))
    postpone({ task: row.activity!, dueAt, text: texts.postponed(formatDateTime(dueAt, locale)) })
    close()
  })
  const now = Date.now()
  const suggested = row.dueAt !== null && Date.parse(row.dueAt) > now ? row.dueAt : tomorrow(now)
  return (
    <FormDialog title={texts.dueTitle} submit={texts.save} form={form} close={close}>
      <TextField
        label={texts.due}
        name="due"
        type="datetime-local"
        required
        defaultValue={toTimeInput(Date.parse(suggested))}
      />
    </FormDialog>
  )
}

function SkipDialog({ row, close }: DialogProps) {
  const form = useForm(async () => {
    await skipTask(row)
    close()
  }, texts.problem)
  return (
    <FormDialog title={texts.skipTitle} submit={texts.skip} form={form} close={close}>
      <p>{texts.skipText(row.record.name ?? texts.thePerson, row.cadence!.cadence.name)}</p>
    </FormDialog>
  )
}
