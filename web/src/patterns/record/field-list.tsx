import { Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { withLabel } from '../../api/field-messages.ts'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { stateTexts } from '../../texts/en/state-texts.ts'
import type { Option } from '../../ui/field.tsx'
import { FieldEditor, type FieldKind } from './field-editor.tsx'
import styles from './field-list.module.css'
import type { SaveFields } from './use-save-fields.ts'

/** One field of a record that can be edited in place. `value` is what the API takes. */
export type RecordField = {
  field: string
  label: string
  value: unknown
  kind?: FieldKind
  options?: readonly Option[]
  /** Draws the value; the text of the value if left out. */
  show?: (value: unknown) => ReactNode
  isLate?: (value: unknown) => boolean
  /** The address that the value leads to. A button beside it edits it. */
  toUrl?: (value: unknown) => string | undefined
  /** The value as the editor shows it, and back; for values that are not plain text. */
  toText?: (value: unknown) => string
  toValue?: (text: string) => unknown
  /** Opens a dialog instead of the editor. */
  edit?: () => void
  isReadOnly?: boolean
}

const toPlainText = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

const toPlainValue = (text: string, kind: RecordField['kind']): unknown => {
  if (text.trim() === '') return null
  return kind === 'number' ? Number(text) : text
}

/** `focusRequest` moves the focus to the first field whenever it changes. */
export function FieldList({
  fields,
  changes,
  canEdit,
  focusRequest = 0,
}: {
  fields: readonly RecordField[]
  changes: SaveFields
  canEdit: boolean
  focusRequest?: number
}) {
  const list = useRef<HTMLDListElement>(null)
  useEffect(() => {
    if (focusRequest > 0) list.current?.querySelector('button')?.focus()
  }, [focusRequest])
  return (
    <dl className={styles.list} ref={list}>
      {fields.map((field) => (
        <EditableField key={field.field} definition={field} changes={changes} canEdit={canEdit && !field.isReadOnly} />
      ))}
    </dl>
  )
}

type EditableFieldProps = { definition: RecordField; changes: SaveFields; canEdit: boolean }

function EditableField({ definition, changes, canEdit }: EditableFieldProps) {
  const { field, label, kind = 'text', options = [], show, edit, toText = toPlainText } = definition
  const [isOpen, setOpen] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const messageId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const returnsFocus = useRef(false)
  const start = useRef({ text: '', seen: undefined as unknown })
  const isRejected = field in changes.rejected && canEdit && !edit
  const wasRejected = useRef(isRejected)
  const isEditing = isOpen || isRejected
  // A value that is rejected while the user does other work does not take the focus from there.
  const isFocusFree = [button.current, document.body].includes(document.activeElement as HTMLElement)
  useEffect(() => {
    if (!isEditing && returnsFocus.current) button.current?.focus()
    returnsFocus.current = false
  }, [isEditing])
  useEffect(() => {
    wasRejected.current = isRejected
    if (isRejected) setTyped(false)
  }, [isRejected])
  const isPending = field in changes.pending
  const value = { [field]: definition.value, ...changes.pending, ...changes.rejected }[field]
  const draw = field in changes.rejected && !edit ? toText : show
  const text = draw ? draw(value) : (options.find((option) => option.value === value)?.label ?? toText(value))
  const begin = () => {
    start.current = { text: toText(value), seen: value }
    setOpen(true)
  }
  const finish = (next: string | undefined, byKey: boolean) => {
    returnsFocus.current = byKey
    setOpen(false)
    if (isRejected) start.current = { text: toText(value), seen: value }
    const { text, seen } = start.current
    if (next === undefined && isRejected) changes.discard(field)
    if (next === undefined || next === text) return
    changes.save(
      { [field]: definition.toValue ? definition.toValue(next) : toPlainValue(next, kind) },
      { [field]: seen },
    )
  }
  const discard = () => {
    returnsFocus.current = true
    changes.discard(field)
  }
  const late = definition.isLate?.(value) ? styles.late : ''
  const url = definition.toUrl?.(value)
  const shown = text || <span className={styles.empty}>{recordTexts.empty}</span>
  return (
    <div className={styles.field}>
      <dt>{label}</dt>
      <dd>
        {isEditing ? (
          <FieldEditor
            {...{ label, kind, options, finish }}
            initial={toText(value)}
            rejectedBy={isRejected ? messageId : undefined}
            takesFocus={isOpen || (!wasRejected.current && isFocusFree)}
            onInput={setTyped}
          />
        ) : (
          <div className={url ? styles.linked : undefined}>
            {url && (
              <a href={url} target="_blank" rel="noreferrer" className={styles.fixed}>
                {shown}
              </a>
            )}
            {canEdit ? (
              <button
                ref={button}
                type="button"
                className={url ? styles.pencil : `${styles.value} ${late}`}
                aria-label={`${recordTexts.edit(label)}: ${(typeof text === 'string' ? text : toText(value)) || recordTexts.empty}`}
                aria-busy={isPending}
                onClick={edit ?? begin}
              >
                {url ? <Pencil size={13} aria-hidden="true" /> : shown}
              </button>
            ) : (
              !url && <span className={`${styles.fixed} ${late}`}>{shown}</span>
            )}
          </div>
        )}
        {!(isRejected && isTyped) && <FieldState {...{ field, label, messageId, changes, discard }} />}
      </dd>
    </div>
  )
}

type FieldStateProps = { field: string; label: string; messageId: string; changes: SaveFields; discard: () => void }

/** Says below a field that its value waits, was rejected or could not be sent. */
function FieldState({ field, label, messageId, changes, discard }: FieldStateProps) {
  const error = changes.errors[field]
  if (error)
    return (
      <small className={styles.error} role="alert">
        <span id={messageId}>{withLabel(error, label)}</span>{' '}
        <button type="button" className={styles.retry} onClick={discard}>
          {recordTexts.discard}
        </button>
      </small>
    )
  if (changes.failed.includes(field))
    return (
      <small className={styles.error} role="alert">
        {recordTexts.notSaved}{' '}
        <button type="button" className={styles.retry} onClick={changes.retry}>
          {stateTexts.retry}
        </button>
      </small>
    )
  if (field in changes.pending && changes.isWaiting)
    return <small className={styles.waiting}>{recordTexts.notSaved}</small>
  return null
}
