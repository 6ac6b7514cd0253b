import { type ReactNode, useEffect, useRef, useState } from 'react'
import { recordTexts } from '../../texts/en/record-texts.ts'
import type { Option } from '../../ui/field.tsx'
import styles from './field-list.module.css'
import type { SaveFields } from './use-save-fields.ts'

/** One field of a record that can be edited in place. `value` is what the API takes. */
export type RecordField = {
  field: string
  label: string
  value: unknown
  kind?: 'text' | 'email' | 'tel' | 'url' | 'number' | 'date' | 'select' | 'multiline'
  options?: readonly Option[]
  /** How the value is shown; the text of the value if left out. */
  show?: (value: unknown) => ReactNode
  isReadOnly?: boolean
}

const toText = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

const toValue = (text: string, kind: RecordField['kind']): unknown => {
  if (text.trim() === '') return null
  return kind === 'number' ? Number(text) : text
}

export const FieldList = ({
  fields,
  changes,
  canEdit,
}: {
  fields: readonly RecordField[]
  changes: SaveFields
  canEdit: boolean
}) => (
  <dl className={styles.list}>
    {fields.map((field) => (
      <EditableField key={field.field} definition={field} changes={changes} canEdit={canEdit && !field.isReadOnly} />
    ))}
  </dl>
)

function EditableField({
  definition,
  changes,
  canEdit,
}: {
  definition: RecordField
  changes: SaveFields
  canEdit: boolean
}) {
  const { field, label, value: stored, kind = 'text', options = [], show } = definition
  const [isEditing, setEditing] = useState(false)
  const isPending = field in changes.pending
  const value = isPending ? changes.pending[field] : stored
  const error = changes.errors[field]
  const text = show ? show(value) : (options.find((option) => option.value === value)?.label ?? toText(value))
  const finish = (next: string | undefined) => {
    setEditing(false)
    if (next === undefined || next === toText(value)) return
    changes.save({ [field]: toValue(next, kind) })
  }
  return (
    <div className={styles.field}>
      <dt>{label}</dt>
      <dd>
        {isEditing ? (
          <FieldEditor label={label} kind={kind} options={options} initial={toText(value)} finish={finish} />
        ) : canEdit ? (
          <button
            type="button"
            className={styles.value}
            aria-label={`${recordTexts.edit(label)}: ${toText(text) || recordTexts.empty}`}
            onClick={() => setEditing(true)}
          >
            {text || <span className={styles.empty}>{recordTexts.empty}</span>}
          </button>
        ) : (
          <span className={styles.fixed}>{text || <span className={styles.empty}>{recordTexts.empty}</span>}</span>
        )}
        {isPending && changes.isWaiting && <small className={styles.waiting}>{recordTexts.notSaved}</small>}
        {error && <small className={styles.error}>{error}</small>}
      </dd>
    </div>
  )
}

type EditorProps = {
  label: string
  kind: NonNullable<RecordField['kind']>
  options: readonly Option[]
  initial: string
  /** Undefined cancels. */
  finish: (text: string | undefined) => void
}

/** Enter or leaving the field saves, Escape cancels. */
function FieldEditor({ label, kind, options, initial, finish }: EditorProps) {
  const control = useRef<HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement>(null)
  const isFinished = useRef(false)
  useEffect(() => control.current!.focus(), [])
  const end = (text: string | undefined) => {
    if (isFinished.current) return
    isFinished.current = true
    finish(text)
  }
  const props = {
    ref: control,
    'aria-label': label,
    className: styles.control,
    defaultValue: initial,
    onBlur: () => end(control.current!.value),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.stopPropagation()
        end(undefined)
      }
      if (event.key === 'Enter' && (kind !== 'multiline' || event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        end(control.current!.value)
      }
    },
  }
  if (kind === 'select')
    return (
      <select {...props} onChange={() => end(control.current!.value)}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )
  return kind === 'multiline' ? <textarea rows={4} {...props} /> : <input type={kind} {...props} />
}
