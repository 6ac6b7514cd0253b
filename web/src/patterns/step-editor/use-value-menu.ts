import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { completeValue, findOpenValue } from './template-text.ts'
import { findValues, type TemplateValue } from './template-values.ts'
import { optionId } from './value-menu.tsx'

type Options = {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  values: readonly TemplateValue[]
}

/** Offers values while the user types one: arrow keys choose, Enter or Tab inserts, Escape closes. */
export function useValueMenu({ field, text, values }: Options) {
  const id = useId()
  const [caret, setCaret] = useState<number>()
  const [active, setActive] = useState(0)
  const [dismissed, setDismissed] = useState<number>()
  const nextCaret = useRef<number>(undefined)
  const open = caret === undefined ? undefined : findOpenValue(text, caret)
  const isOpen = open !== undefined && open.start !== dismissed
  const typed = open?.typed ?? ''
  const found = useMemo(() => (isOpen ? findValues(values, typed) : []), [isOpen, values, typed])
  const chosen = Math.min(active, Math.max(0, found.length - 1))

  useLayoutEffect(() => {
    if (nextCaret.current === undefined) return
    field.current?.setSelectionRange(nextCaret.current, nextCaret.current)
    nextCaret.current = undefined
  }, [text])

  const follow = () => {
    const { selectionStart, selectionEnd } = field.current!
    const at = selectionStart === selectionEnd ? selectionStart : undefined
    if (at === caret) return
    setCaret(at)
    setActive(0)
    if (at === undefined || findOpenValue(field.current!.value, at)?.start !== dismissed) setDismissed(undefined)
  }
  const insert = (value: TemplateValue | undefined) => {
    if (!value || !open) return
    const { end, inserted, caret: after } = completeValue(text, open.start, caret!, value.key)
    nextCaret.current = after
    replaceText(field.current!, open.start, end, inserted)
  }
  const handleKey = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.nativeEvent.isComposing) return false
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) setActive((chosen + by + found.length) % Math.max(1, found.length))
    else if (event.key === 'Escape') setDismissed(open.start)
    else if ((event.key === 'Enter' || event.key === 'Tab') && found.length > 0) insert(found[chosen])
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  return {
    id,
    isOpen,
    start: open?.start ?? 0,
    found,
    active: chosen,
    insert,
    handleKey,
    follow,
    leave: () => setCaret(undefined),
    /** Begins a value at the caret, for users without braces on their keyboard. */
    begin() {
      field.current!.focus()
      replaceText(field.current!, field.current!.selectionStart, field.current!.selectionEnd, '{{ ')
      setDismissed(undefined)
      setCaret(field.current!.selectionStart)
    },
    fieldProps: {
      'aria-autocomplete': 'list' as const,
      ...(isOpen && { 'aria-controls': id }),
      ...(isOpen && found.length > 0 && { 'aria-activedescendant': optionId(id, chosen) }),
    },
  }
}

/** Types into the field, so that the browser can undo it. */
function replaceText(field: HTMLTextAreaElement, start: number, end: number, inserted: string): void {
  field.focus()
  field.setSelectionRange(start, end)
  document.execCommand('insertText', false, inserted)
}
