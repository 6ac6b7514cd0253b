import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import styles from './tabs.module.css'

export type Tab<Key extends string> = { key: Key; label: string; count?: number }

/** Shows one of several parts. The arrow keys move between the tabs. */
export function Tabs<Key extends string>({
  label,
  tabs,
  current,
  choose,
  children,
}: {
  label: string
  tabs: readonly Tab<Key>[]
  current: Key
  choose: (key: Key) => void
  children: ReactNode
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const at = (tabs.findIndex(({ key }) => key === current) + by + tabs.length) % tabs.length
    choose(tabs[at]!.key)
    list.current?.querySelectorAll('button')[at]?.focus()
  }
  return (
    <>
      <div role="tablist" aria-label={label} className={styles.tabs} ref={list}>
        {tabs.map(({ key, label: text, count }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === current}
            aria-controls={`${id}-panel`}
            tabIndex={key === current ? 0 : -1}
            className={styles.tab}
            onClick={() => choose(key)}
            onKeyDown={move}
          >
            {text}
            {count !== undefined && count > 0 && <span className={styles.count}>{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  )
}
