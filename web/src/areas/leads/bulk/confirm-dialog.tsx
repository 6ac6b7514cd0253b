import { useEffect, useRef, useState } from 'react'
import { useMe } from '../../../session/me.ts'
import { bulkTexts as texts } from '../../../texts/en/lead-bulk-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import styles from './bulk.module.css'
import { describeAction, isLarge, isTypedNumber, maxInline } from './confirmation.ts'
import type { Run } from './use-bulk.ts'

/** Asks before an action on many leads. A deletion is confirmed by typing the number of leads. */
export function ConfirmDialog({
  run: { action, selection, target },
  proceed,
  close,
}: {
  run: Run
  proceed: () => void
  close: () => void
}) {
  const { locale } = useMe()
  const [typed, setTyped] = useState('')
  const count = selection.kind === 'ids' ? selection.ids.length : selection.count
  const text = formatNumber(count, locale)
  const title = describeAction(action, count, text, target)
  const isDeletion = action.action === 'delete'
  const isConfirmed = !isDeletion || isTypedNumber(typed, count)
  const isDangerous = isLarge({ kind: selection.kind, count })
  const submit = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isDangerous) submit.current?.focus()
  }, [isDangerous])
  return (
    <Dialog
      title={title}
      close={close}
      footer={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button
            ref={submit}
            type="submit"
            form="confirm-bulk"
            variant={isDangerous ? 'danger' : 'primary'}
            disabled={!isConfirmed}
          >
            {title}
          </Button>
        </>
      }
    >
      <form
        id="confirm-bulk"
        className={styles.confirm}
        onSubmit={(event) => {
          event.preventDefault()
          if (isConfirmed) proceed()
        }}
      >
        <p>{count > maxInline ? texts.confirmLarge : texts.confirmSmall}</p>
        {isDeletion && (
          <TextField
            label={texts.typeNumber(text)}
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </form>
    </Dialog>
  )
}
