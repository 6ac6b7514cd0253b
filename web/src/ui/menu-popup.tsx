import { Check } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import { Kbd } from './kbd.tsx'
import styles from './menu.module.css'
import type { MenuItem } from './menu-model.ts'
import { usePopover } from './use-popover.ts'

type MenuPopupProps = {
  label: string
  anchor: RefObject<HTMLElement | null>
  align: 'start' | 'end'
  items: readonly MenuItem[]
  close: () => void
}

export function MenuPopup({ label, anchor, align, items, close }: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null)
  const entries = () => [...popup.current!.querySelectorAll<HTMLElement>('button:not(:disabled)')]
  const place = usePopover({ popup, anchor, align, content: items.length, close })

  useLayoutEffect(() => {
    if (!popup.current!.contains(document.activeElement)) entries()[0]?.focus()
  }, [items.length])

  const closeToButton = () => {
    anchor.current?.focus()
    close()
  }
  const handleKey = (event: KeyboardEvent) => {
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = findNext(event.key, at, all)
    if (next) next.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') closeToButton()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={popup}
      role="menu"
      popover="manual"
      tabIndex={-1}
      aria-label={label}
      className={styles.popup}
      style={place}
      onKeyDown={handleKey}
    >
      {items.map((item, at) => (
        <MenuEntry
          key={'label' in item ? `${item.kind}${item.label}` : `line${at}`}
          item={item}
          // The focus returns before the action runs, because a dialog gives it back to the button later.
          finish={closeToButton}
        />
      ))}
    </div>
  )
}

/** The arrow keys move through the entries, a letter goes to the next entry that begins with it. */
function findNext(key: string, at: number, entries: readonly HTMLElement[]): HTMLElement | undefined {
  const last = entries.length - 1
  if (key === 'ArrowDown') return entries[at >= last ? 0 : at + 1]
  if (key === 'ArrowUp') return entries[at <= 0 ? last : at - 1]
  if (key === 'Home') return entries[0]
  if (key === 'End') return entries[last]
  if (key.length !== 1 || key === ' ') return undefined
  const following = [...entries.slice(at + 1), ...entries.slice(0, at + 1)]
  return following.find((entry) => entry.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
}

function MenuEntry({ item, finish }: { item: MenuItem; finish: () => void }) {
  if (item.kind === 'line') return <hr className={styles.line} />
  if (item.kind === 'title') return <div className={styles.title}>{item.label}</div>
  const run = () => {
    if (!item.staysOpen) finish()
    item.run()
  }
  if (item.kind === 'choice')
    return (
      <button
        type="button"
        role="menuitemcheckbox"
        aria-checked={item.isChosen}
        tabIndex={-1}
        className={styles.item}
        onClick={run}
      >
        <span className={styles.mark}>{item.isChosen && <Check size={14} />}</span>
        {item.label}
      </button>
    )
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={item.isDisabled}
      className={styles.item}
      onClick={run}
    >
      {item.icon}
      <span className={styles.label}>
        {item.label}
        {item.hint && <small className={styles.hint}>{item.hint}</small>}
      </span>
      {item.keys && <Kbd keys={item.keys} />}
    </button>
  )
}
