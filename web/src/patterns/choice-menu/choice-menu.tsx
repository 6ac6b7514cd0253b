import { Check } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { choiceTexts } from '../../texts/en/choice-texts.ts'
import { placePopup } from '../../ui/place-popup.ts'
import { actionOfKey } from '../combobox/combobox-keys.ts'
import styles from './choice-menu.module.css'
import { filterChoices, type GroupedChoice } from './filter-choices.ts'

type ChoiceMenuProps = {
  label: string
  anchor: RefObject<HTMLElement | null>
  choices: readonly GroupedChoice[]
  chosen: string | null
  choose: (id: string | null) => void
  close: () => void
}

/** A menu of many choices in groups, which a typed text narrows down. */
export function ChoiceMenu({ label, anchor, choices, chosen, choose, close }: ChoiceMenuProps) {
  const id = useId()
  const popup = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      choices.findIndex((choice) => choice.id === chosen),
    ),
  )
  const [place, setPlace] = useState({ left: 0, top: 0 })
  const found = filterChoices(choices, text)
  const active = Math.min(at, found.length - 1)

  useLayoutEffect(() => {
    popup.current!.showPopover()
    field.current!.focus()
    const screen = { width: innerWidth, height: innerHeight }
    const [button, size] = [anchor.current!.getBoundingClientRect(), popup.current!.getBoundingClientRect()]
    setPlace(placePopup(button, size, screen, 'start'))
  }, [anchor])
  useEffect(() => {
    popup.current!.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, text])
  useEffect(() => {
    const closeOutside = ({ target }: Event) => {
      const isInside = (element: HTMLElement | null) => target instanceof Node && element?.contains(target)
      if (!isInside(popup.current) && !isInside(anchor.current)) close()
    }
    addEventListener('pointerdown', closeOutside)
    return () => removeEventListener('pointerdown', closeOutside)
  }, [anchor, close])

  const returnFocus = () => {
    anchor.current?.focus()
    close()
  }
  const pick = (choice: GroupedChoice | undefined) => {
    if (!choice) return
    returnFocus()
    choose(choice.id)
  }
  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const state = { isOpen: true, active, certain: found.length, isSettled: true }
    const action = actionOfKey(event.key === 'Tab' ? 'Escape' : event.key, state)
    if (!action) return
    event.preventDefault()
    if (action.kind === 'close') returnFocus()
    if (action.kind === 'move') setAt(action.to)
    if (action.kind === 'pick') pick(found[action.at])
  }
  const groups = [...Map.groupBy(found, ({ group }) => group)]
  return (
    <div
      ref={popup}
      role="dialog"
      aria-label={label}
      popover="manual"
      className={styles.popup}
      style={place}
      onKeyDown={handleKey}
    >
      <input
        ref={field}
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
        autoComplete="off"
        placeholder={choiceTexts.search}
        className={styles.search}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
        {groups.map(([group, ofGroup]) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options
          <div key={group} role="group" aria-label={group || undefined}>
            {group && (
              <div className={styles.group} aria-hidden="true">
                {group}
              </div>
            )}
            {ofGroup.map((choice) => {
              const index = found.indexOf(choice)
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                <div
                  key={choice.id ?? 'none'}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  className={styles.option}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => pick(choice)}
                >
                  <span className={styles.mark}>{choice.id === chosen && <Check size={14} aria-hidden="true" />}</span>
                  <span className={styles.name}>{choice.label}</span>
                  {choice.hint && <small className={styles.hint}>{choice.hint}</small>}
                </div>
              )
            })}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className={styles.none} role="status">
          {choiceTexts.none}
        </p>
      )}
    </div>
  )
}
