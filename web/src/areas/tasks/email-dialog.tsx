import { useQuery } from '@tanstack/react-query'
import { Copy, Send } from 'lucide-react'
import { useId, useState } from 'react'
import { areaKeys } from '../../api/area-keys.ts'
import { readDraft, writeDraft } from '../../api/drafts.ts'
import { useIntent } from '../../api/intent.ts'
import formStyles from '../../patterns/form.module.css'
import { FormMessage } from '../../patterns/form-message.tsx'
import { ProblemState, Skeleton } from '../../patterns/states.tsx'
import { useForm } from '../../patterns/use-form.ts'
import { openTaskTexts as texts } from '../../texts/en/open-task-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toasts.ts'
import type { TaskRow } from './join-tasks.ts'
import { completeOfCadence } from './task-actions.ts'
import { loadEmail } from './task-queries.ts'
import styles from './tasks.module.css'

type EmailDialogProps = { row: TaskRow; close: () => void }

/** The email of a step that its sender writes: it is sent from here, or from another program. */
export function EmailDialog({ row, close }: EmailDialogProps) {
  const task = row.cadence!
  const hasTemplate = task.subject_template !== null && task.body_template !== null
  const email = useQuery({
    queryKey: areaKeys.openTasks.text(row.id),
    queryFn: ({ signal }) => loadEmail(task, signal),
    enabled: hasTemplate,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const title = texts.emailTitle(row.record.name ?? texts.thePerson)
  if (!hasTemplate || email.data)
    return (
      <EmailForm
        row={row}
        title={title}
        subject={email.data?.subject ?? task.subject_template ?? ''}
        text={email.data?.text ?? task.body_template ?? ''}
        missing={email.data?.missing ?? undefined}
        close={close}
      />
    )
  return (
    <Dialog title={title} close={close} width="wide">
      {email.error ? (
        <ProblemState error={email.error} part={texts.email} retry={() => void email.refetch()} />
      ) : (
        <Skeleton rows={4} />
      )}
    </Dialog>
  )
}

type EmailFormProps = EmailDialogProps & { title: string; subject: string; text: string; missing?: string }
type Email = { subject: string; text: string }

function EmailForm({ row, title, subject, text, missing, close }: EmailFormProps) {
  const id = useId()
  const draftKey = `email:${row.id}`
  const [email, setEmail] = useState<Email>(() => JSON.parse(readDraft(draftKey) || 'null') ?? { subject, text })
  const intent = useIntent()
  const address = row.cadence!.record.email
  const change = (changes: Partial<Email>) => {
    const next = { ...email, ...changes }
    setEmail(next)
    writeDraft(draftKey, JSON.stringify(next))
  }
  const complete = async (body: object) => {
    await completeOfCadence(row, intent.keyOf(body), body)
    writeDraft(draftKey, '')
    close()
  }
  const send = useForm(() => complete({ sent_subject: email.subject, sent_body: email.text }), texts.problem)
  const elsewhere = useForm(() => complete({}), texts.problem)
  const isPending = send.isPending || elsewhere.isPending
  return (
    <Dialog
      title={title}
      close={close}
      width="wide"
      footer={
        <>
          <Button
            icon={<Copy size={14} />}
            onClick={() => void navigator.clipboard.writeText(email.text).then(() => showToast(texts.copied))}
          >
            {texts.copyText}
          </Button>
          <Button type="submit" form={`${id}-elsewhere`} disabled={isPending}>
            {texts.sentElsewhere}
          </Button>
          <Button
            type="submit"
            form={id}
            variant="primary"
            icon={<Send size={14} />}
            disabled={isPending || address === null}
          >
            {texts.send}
          </Button>
        </>
      }
    >
      <form id={`${id}-elsewhere`} onSubmit={elsewhere.onSubmit} hidden />
      <form id={id} className={formStyles.form} onSubmit={send.onSubmit}>
        {row.cadence!.instructions && (
          <p className={styles.instructions}>
            <b>{texts.instructions}</b> {row.cadence!.instructions}
          </p>
        )}
        {missing && <p className={styles.missing}>{texts.missing(missing)}</p>}
        {address === null && <p className={styles.missing}>{texts.noAddress}</p>}
        <TextField
          label={texts.subject}
          required
          maxLength={500}
          value={email.subject}
          onChange={({ target }) => change({ subject: target.value })}
          error={send.errors.sent_subject}
        />
        <TextArea
          label={texts.text}
          required
          rows={10}
          maxLength={20_000}
          value={email.text}
          onChange={({ target }) => change({ text: target.value })}
          error={send.errors.sent_body}
        />
        <FormMessage form={send.message ? send : elsewhere} />
      </form>
    </Dialog>
  )
}
