import { useEffect, useRef } from 'react'
import type { Option } from '../../ui/field.tsx'
import { useUnfinishedText } from './composer/use-unfinished-text.ts'
import styles from './field-list.module.css'

export type FieldKind =
  | 'text'
  | 'email'
  | 'tel'
  | 'url'
  | 'number'
  | 'date'
  | 'datetime-local'
  | 'select'
  /** Several options; the text has their values, separated by commas. */
  | 'choices'
  | 'multiline'

type EditorProps = {
  label: string
  kind: FieldKind
  options: readonly Option[]
  initial: string
  /** The id of the message about a value that was rejected; the editor stays open until the value is another one. */
  rejectedBy?: string
  takesFocus: boolean
  onInput: (isChanged: boolean) => void
  /** Undefined cancels. The focus returns to the field after a key. */
  finish: (text: string | undefined, byKey: boolean) => void
}

/** Enter or leaving the field saves, Escape cancels. */
export function FieldEditor(editor: EditorProps) {
  const { label, kind, options, initial, rejectedBy, takesFocus, onInput, finish } = editor
  const control = useRef<HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement>(null)
  const isFinished = useRef(false)
  const isByPointer = useRef(false)
  useEffect(() => {
    if (takesFocus) control.current!.focus()
  }, [])
  const readText = () =>
    kind === 'choices'
      ? [...control.current!.selectedOptions].map(({ value }) => value).join(',')
      : control.current!.value
  const end = (text: string | undefined, byKey: boolean) => {
    if (isFinished.current || (rejectedBy && text === initial)) return
    isFinished.current = true
    finish(text, byKey)
  }
  useUnfinishedText({
    isChanged: () => !isFinished.current && readText() !== initial,
    save: () => end(readText(), false),
  })
  const props = {
    ref: control,
    'aria-label': label,
    className: styles.control,
    ...(rejectedBy && { 'aria-invalid': true, 'aria-describedby': rejectedBy }),
    onInput: () => onInput(readText() !== initial),
    onBlur: () => end(readText(), false),
    onPointerDown: () => {
      isByPointer.current = true
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.stopPropagation()
        end(undefined, true)
      }
      if (event.key === 'Enter' && (kind !== 'multiline' || event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        end(readText(), true)
      }
    },
  }
  if (kind === 'select' || kind === 'choices') {
    const choices = options.map(({ value, label: text }) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))
    return kind === 'select' ? (
      // The arrow keys change the value with every step, so that only a pointer chooses at once.
      <select {...props} defaultValue={initial} onChange={() => isByPointer.current && end(readText(), false)}>
        {choices}
      </select>
    ) : (
      <select {...props} multiple size={Math.min(8, options.length)} defaultValue={initial.split(',')}>
        {choices}
      </select>
    )
  }
  return kind === 'multiline' ? (
    <textarea rows={4} {...props} defaultValue={initial} />
  ) : (
    <input type={kind} {...props} step={kind === 'number' ? 'any' : undefined} defaultValue={initial} />
  )
}
