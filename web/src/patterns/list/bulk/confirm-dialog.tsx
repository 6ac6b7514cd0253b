import { useEffect, useRef, useState } from 'react'
import { useMe } from '../../../session/me.ts'
import { listBulkTexts } from '../../../texts/en/list-bulk-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { formatNumber } from '../../../ui/format.ts'
import styles from './bulk.module.css'
import { isFinal } from './bulk-outcomes.ts'
import type { BulkTexts } from './bulk-texts.ts'
import { isLarge, isTypedNumber, maxInline } from './confirmation.ts'
import { type BulkDefinition, countOf, type Run } from './use-bulk.ts'

type ConfirmDialogProps<Action extends { action: string }, Filters> = {
  definition: BulkDefinition<Action, Filters>
  run: Run<Action, Filters>
  proceed: () => void
  close: () => void
}

/** Asks before an action on many records. A deletion is confirmed by typing the number of records. */
export function ConfirmDialog<Action extends { action: string }, Filters>({
  definition,
  run: { action, selection, target },
  proceed,
  close,
}: ConfirmDialogProps<Action, Filters>) {
  const { locale } = useMe()
  const [typed, setTyped] = useState('')
  const count = countOf(selection)
  const text = formatNumber(count, locale)
  const title = definition.describe(action, count, text, target)
  const warning = definition.warn?.(action)
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
          <Button onClick={close}>{listBulkTexts.cancel}</Button>
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
        {warning && <p>{warning}</p>}
        <p>{describeRun(action.action, count, definition.kind.texts)}</p>
        {isDeletion && (
          <TextField
            label={listBulkTexts.typeNumber(text)}
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </form>
    </Dialog>
  )
}

function describeRun(action: string, count: number, { confirmSmall }: Pick<BulkTexts, 'confirmSmall'>): string {
  if (count <= maxInline) return confirmSmall
  return isFinal(action) ? listBulkTexts.confirmLargeFinal : listBulkTexts.confirmLarge
}
