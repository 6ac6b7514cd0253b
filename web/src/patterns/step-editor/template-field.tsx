import { Braces } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useCallback, useId, useMemo, useRef } from 'react'
import { stepEditorTexts as texts } from '../../texts/en/step-editor-texts.ts'
import { IconButton } from '../../ui/button.tsx'
import styles from './template-field.module.css'
import { markTemplate, type ValueNames } from './template-text.ts'
import type { TemplateValue } from './template-values.ts'
import { useValueMenu } from './use-value-menu.ts'
import { ValueMenu } from './value-menu.tsx'

type TemplateFieldProps = {
  label: string
  text: string
  change: (text: string) => void
  /** Undefined while they are loaded. */
  values: readonly TemplateValue[] | undefined
  missing?: ValueNames
  maxLength: number
  isMultiline?: boolean
  error?: string
  /** Shown at the foot of the field, beside the button that inserts a value. */
  foot?: ReactNode
  name: string
}

const none: readonly TemplateValue[] = []

/** A text with values, such as `{{ first_name | there }}`, which are marked while the user types. */
export function TemplateField(props: TemplateFieldProps) {
  const { label, text, change, values, missing, maxLength, isMultiline = false, error, foot, name } = props
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const marks = useRef<HTMLDivElement>(null)
  const menu = useValueMenu({ field, text, values: values ?? none })
  const known = useMemo(() => values && new Set(values.map(({ key }) => key)), [values])
  const parts = useMemo(() => markTemplate(text, { known, missing }), [text, known, missing])
  const { start } = menu
  // A value that is being typed is not wrong yet.
  const shownError = menu.isOpen ? undefined : error
  const findPlace = useCallback(() => placeOf(marks.current!, start), [start])
  const handleKey = (event: KeyboardEvent) => {
    if (menu.handleKey(event)) return
    if (event.key === 'Enter' && !isMultiline && !event.ctrlKey && !event.metaKey) event.preventDefault()
  }
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id}>{label}</label>
        {isMultiline && (
          <span className={styles.hint} aria-hidden="true">
            {texts.typeForValue}
          </span>
        )}
      </div>
      <div className={styles.box} data-invalid={shownError ? true : undefined}>
        <div className={isMultiline ? styles.lines : styles.line}>
          <div ref={marks} className={styles.marks} aria-hidden="true">
            {parts.map(({ kind, text: part }, at) => (
              <span key={at} className={kind === 'text' ? undefined : styles[kind]}>
                {part}
              </span>
            ))}
            {/* A line break at the end has a height only before a character. */}
            {'\u200b'}
          </div>
          <textarea
            ref={field}
            id={id}
            name={name}
            className={styles.input}
            rows={1}
            value={text}
            maxLength={maxLength}
            autoComplete="off"
            spellCheck
            {...menu.fieldProps}
            {...(shownError && { 'aria-invalid': true, 'aria-describedby': `${id}-note` })}
            onChange={({ target }) => {
              change(isMultiline ? target.value : target.value.replace(/[\r\n]+/g, ' '))
              menu.follow()
            }}
            onSelect={menu.follow}
            onBlur={menu.leave}
            onKeyDown={handleKey}
          />
        </div>
        {foot && (
          <div className={styles.foot}>
            <IconButton label={texts.insertValue} icon={<Braces size={15} />} size="small" onClick={menu.begin} />
            {foot}
          </div>
        )}
      </div>
      {shownError && (
        <p id={`${id}-note`} className={styles.error}>
          {shownError}
        </p>
      )}
      {menu.isOpen && (
        <>
          <span className="visually-hidden" role="status">
            {texts.valuesFound(menu.found.length)}
          </span>
          <ValueMenu id={menu.id} values={menu.found} active={menu.active} findPlace={findPlace} choose={menu.insert} />
        </>
      )}
    </div>
  )
}

/** The place of a character in the marked text, which lies behind the field. */
function placeOf(marks: HTMLElement, at: number): DOMRect {
  const range = document.createRange()
  let before = 0
  for (const { firstChild } of marks.children) {
    const length = firstChild?.nodeValue?.length ?? 0
    if (firstChild && at < before + length) {
      range.setStart(firstChild, at - before)
      range.setEnd(firstChild, at - before + 1)
      return range.getBoundingClientRect()
    }
    before += length
  }
  return marks.getBoundingClientRect()
}
