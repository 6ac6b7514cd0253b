import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { connection } from '../../../api/connection.ts'
import { useIntent } from '../../../api/intent.ts'
import { useStore } from '../../../api/store.ts'
import { recordTexts } from '../../../texts/en/record-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField, TextField } from '../../../ui/field.tsx'
import { fromTimeInput, toDayInput } from '../../../ui/time-zone.ts'
import { showToast } from '../../../ui/toast.tsx'
import { showRepeatableProblem } from '../../show-problem.ts'
import { createActivity, type NewActivity, type TimelineRecord, useRefreshRecord } from '../activity-api.ts'
import { enterText, finishSendingText, returnText, startSendingText } from './composed-text.ts'
import styles from './composer.module.css'
import { useComposedText } from './use-composed-text.ts'

export type ComposerKind = keyof typeof recordTexts.composer.kinds

const texts = recordTexts.composer
const kinds = Object.keys(texts.kinds) as ComposerKind[]
const outcomes = Object.entries(texts.outcomes).map(([value, label]) => ({ value, label }))

type ComposerProps = {
  record: TimelineRecord
  userId: string
  kind: ComposerKind
  setKind: (kind: ComposerKind) => void
  /** Moves the focus into the text whenever it changes, for the keys of the commands. */
  focusRequest: number
}

/** Logs notes, calls, emails, meetings and tasks. What is typed is kept until it is saved. */
export function Composer({ record, userId, kind, setKind, focusRequest }: ComposerProps) {
  const draftKey = `${userId}:${record.type}:${record.id}`
  const form = useRef<HTMLFormElement>(null)
  const text = useRef<HTMLTextAreaElement>(null)
  const { text: composed, change: changeText } = useComposedText(draftKey)
  const body = composed.typed
  const intent = useIntent(draftKey)
  const [outcome, setOutcome] = useState('connected')
  const [dueAt, setDueAt] = useState(suggestDueTime)
  const isOffline = useStore(connection) === 'offline'
  const refresh = useRefreshRecord(record)
  useEffect(() => {
    if (focusRequest > 0) text.current?.focus()
  }, [focusRequest])

  const mutationKey = ['activities', record.type, record.id]
  // Counts also a request that waits since the record was open before.
  const isSaving = useIsMutating({ mutationKey }) > 0
  const save = useMutation({
    mutationKey,
    mutationFn: ({ activity }: { kind: ComposerKind; activity: NewActivity }) =>
      createActivity(record, activity, intent.keyOf(activity)),
    onSuccess: async (_, sent) => {
      changeText(finishSendingText)
      intent.end()
      showToast(texts.saved[sent.kind])
      await refresh()
    },
    onError: (error) => {
      changeText(returnText)
      showRepeatableProblem(error, () => form.current?.requestSubmit())
    },
  })
  const isEmpty = body.trim() === '' && kind !== 'call'
  const submit = () => {
    if (isEmpty || isSaving) return
    // The keys of the list work again, for example for the next record.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    changeText(startSendingText)
    save.mutate({ kind, activity: toActivity(kind, body.trim(), outcome, dueAt) })
  }
  return (
    <form
      ref={form}
      className={styles.composer}
      aria-label={texts.label}
      action={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
        if (event.key === 'Escape') (document.activeElement as HTMLElement | null)?.blur()
      }}
    >
      <fieldset className={styles.kinds} aria-label={texts.label}>
        {kinds.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === kind}
            className={styles.kind}
            onClick={() => setKind(one)}
          >
            {texts.kinds[one]}
          </button>
        ))}
      </fieldset>
      <textarea
        ref={text}
        className={styles.text}
        rows={2}
        maxLength={10_000}
        aria-label={texts.placeholders[kind]}
        placeholder={texts.placeholders[kind]}
        value={body}
        onChange={({ target: { value } }) => {
          if (value === '') intent.end()
          changeText((before) => enterText(before, value))
        }}
      />
      {isOffline && composed.sent && <p className={styles.sent}>{composed.sent}</p>}
      <div className={styles.end}>
        {kind === 'call' && (
          <SelectField
            label={texts.outcome}
            isLabelHidden
            options={outcomes}
            value={outcome}
            onChange={(event) => setOutcome(event.target.value)}
          />
        )}
        {kind === 'task' && (
          <TextField
            label={texts.due}
            isLabelHidden
            type="datetime-local"
            required
            value={dueAt}
            onChange={(event) => setDueAt(event.target.value)}
          />
        )}
        {isSaving && isOffline && <small className={styles.waiting}>{recordTexts.notSaved}</small>}
        <Button type="submit" size="small" variant="primary" disabled={isEmpty || isSaving} keys="Mod+Enter">
          {texts.save}
        </Button>
      </div>
    </form>
  )
}

/** The first line of a task is its title. */
function toActivity(kind: ComposerKind, body: string, outcome: string, dueAt: string): NewActivity {
  if (kind === 'task') {
    const [subject = '', ...rest] = body.split('\n')
    return { type: 'task', subject, body: rest.join('\n').trim() || null, due_at: fromTimeInput(dueAt) }
  }
  if (kind === 'note') return { type: 'note', body }
  return { type: kind, direction: 'out', body: body || null, ...(kind === 'call' && { outcome }) }
}

/** Tomorrow at nine, in the form of the input. */
const suggestDueTime = (): string => `${toDayInput(Date.now(), 1)}T09:00`
