import { Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
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
  const [isEditing, setEditing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const returnsFocus = useRef(false)
  const start = useRef({ text: '', seen: undefined as unknown })
  useEffect(() => {
    if (!isEditing && returnsFocus.current) button.current?.focus()
    returnsFocus.current = false
  }, [isEditing])
  const isPending = field in changes.pending
  const value = { [field]: definition.value, ...changes.pending, ...changes.rejected }[field]
  const draw = field in changes.rejected ? toText : show
  const text = draw ? draw(value) : (options.find((option) => option.value === value)?.label ?? toText(value))
  const begin = () => {
    start.current = { text: toText(value), seen: value }
    setEditing(true)
  }
  const finish = (next: string | undefined, byKey: boolean) => {
    returnsFocus.current = byKey
    setEditing(false)
    const { text, seen } = start.current
    if (next === undefined || next === text) return
    changes.save(
      { [field]: definition.toValue ? definition.toValue(next) : toPlainValue(next, kind) },
      { [field]: seen },
    )
  }
  const late = definition.isLate?.(value) ? styles.late : ''
  const url = definition.toUrl?.(value)
  const shown = text || <span className={styles.empty}>{recordTexts.empty}</span>
  return (
    <div className={styles.field}>
      <dt>{label}</dt>
      <dd>
        {isEditing ? (
          <FieldEditor label={label} kind={kind} options={options} initial={toText(value)} finish={finish} />
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
        <FieldState field={field} changes={changes} />
      </dd>
    </div>
  )
}

/** Says below a field that its value waits, was rejected or could not be sent. */
function FieldState({ field, changes }: { field: string; changes: SaveFields }) {
  const error = changes.errors[field]
  if (error)
    return (
      <small className={styles.error} role="alert">
        {error}{' '}
        <button type="button" className={styles.retry} onClick={() => changes.discard(field)}>
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
