import type { QueryKey } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { ruleTexts } from '../../texts/en/rule-texts.ts'
import { usePopover } from '../../ui/use-popover.ts'
import { ComboboxList } from '../combobox/combobox-list.tsx'
import { type Choice, useCombobox } from '../combobox/use-combobox.ts'
import styles from './picker.module.css'

export type ChoiceSource = {
  queryKey: (text: string) => QueryKey
  find: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>
  /** The choices for a text, if they are known without a request. */
  match?: (text: string) => readonly Choice[]
  acceptsText?: boolean
  none?: string
}

type PickerProps = {
  label: string
  children: ReactNode
  className?: string
  source: ChoiceSource
  pick: (choice: Choice) => void
  isMultiple?: boolean
  startsOpen?: boolean
  isInvalid?: boolean
}

export function Picker({
  label,
  children,
  className = '',
  source,
  pick,
  isMultiple,
  startsOpen,
  isInvalid,
}: PickerProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(startsOpen === true)
  const [picked, setPicked] = useState(0)
  const close = () => setOpen(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-invalid={isInvalid || undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <PickerPopup
          key={picked}
          label={label}
          anchor={button}
          source={source}
          close={close}
          pick={(choice) => {
            if (isMultiple) setPicked(picked + 1)
            else {
              button.current?.focus()
              close()
            }
            pick(choice)
          }}
        />
      )}
    </>
  )
}

type PopupProps = Pick<PickerProps, 'label' | 'source' | 'pick'> & {
  anchor: RefObject<HTMLButtonElement | null>
  close: () => void
}

function PickerPopup({ label, anchor, source, pick, close }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const { field, list, isEmpty } = useCombobox({
    staysOpen: true,
    queryKey: source.queryKey,
    find: source.find,
    createLast: (name, found) =>
      source.acceptsText && !found.some((choice) => choice.name.toLowerCase() === name.toLowerCase())
        ? { id: null, name }
        : undefined,
    pick,
  })
  const place = usePopover({ popup, anchor, align: 'start', content: list.choices.length, close })
  useLayoutEffect(() => input.current?.focus(), [])
  /** Finds a choice for Enter before those for the typed text are shown, so that users who type fast need not wait. */
  const findAtOnce = (): Choice | undefined => {
    const name = field.value.trim()
    if (list.isSettled || name === '') return undefined
    if (source.match) return source.match(name)[0]
    return source.acceptsText ? { id: null, name } : undefined
  }
  const handleKey = (event: KeyboardEvent) => {
    const choice = event.key === 'Enter' && !event.nativeEvent.isComposing ? findAtOnce() : undefined
    if (!choice) return field.onKeyDown(event)
    event.preventDefault()
    pick(choice)
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Tab') return
    event.preventDefault()
    event.stopPropagation()
    anchor.current?.focus()
    close()
  }
  return (
    <div
      ref={popup}
      role="dialog"
      aria-label={label}
      popover="manual"
      className={styles.popup}
      style={place}
      onKeyDown={leave}
    >
      <input
        ref={input}
        className={styles.search}
        aria-label={label}
        placeholder={ruleTexts.searchRecord}
        autoComplete="off"
        maxLength={200}
        {...field}
        onKeyDown={handleKey}
      />
      {isEmpty && (
        <p className={styles.none} role="status">
          {source.none ?? ruleTexts.noneFound}
        </p>
      )}
      <ComboboxList
        list={list}
        label={label}
        isHidden={list.choices.length === 0}
        render={({ id, name, detail }) => (
          <>
            {id === null && <Plus size={14} aria-hidden="true" />}
            <span className={styles.name}>{name}</span>
            {detail && <small className={styles.detail}>{detail}</small>}
          </>
        )}
      />
    </div>
  )
}
