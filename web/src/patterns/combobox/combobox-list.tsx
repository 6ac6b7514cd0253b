import { type ReactNode, useEffect, useRef } from 'react'
import styles from './combobox-list.module.css'
import type { Choice, ComboboxList as List } from './use-combobox.ts'

type ListProps = {
  list: List
  label: string
  className?: string
  isHidden?: boolean
  render: (choice: Choice) => ReactNode
}

export function ComboboxList({ list, label, className = '', isHidden = false, render }: ListProps) {
  const { id, optionId, choices, active, isSettled, choose } = list
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    void element.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={element}
      role="listbox"
      id={id}
      aria-label={label}
      aria-busy={!isSettled && !isHidden}
      hidden={isHidden}
      className={`${styles.list} ${className}`}
    >
      {choices.map((choice, at) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={choice.id ?? 'none'}
          role="option"
          id={optionId(at)}
          aria-selected={at === active}
          className={styles.option}
          data-heading={choice.heading !== choices[at - 1]?.heading ? choice.heading : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(choice)}
        >
          {render(choice)}
        </div>
      ))}
    </div>
  )
}
