import { Search } from 'lucide-react'
import { type Ref, useEffect, useState } from 'react'
import { Kbd } from './kbd.tsx'
import styles from './search-field.module.css'

const delayMs = 250

/** Searches while the user types, a moment after the last letter. Escape clears the field or leaves it. */
export function SearchField({
  label,
  value,
  change,
  keys,
  ref,
}: {
  label: string
  value: string
  change: (text: string) => void
  keys?: string
  ref?: Ref<HTMLInputElement>
}) {
  const [text, setText] = useState(value)
  const [stored, setStored] = useState(value)
  if (value !== stored) {
    setStored(value)
    setText(value)
  }
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => change(text.trim()), delayMs)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={styles.search}>
      <Search size={14} aria-hidden="true" />
      <input
        ref={ref}
        type="search"
        className={styles.input}
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && event.key !== 'Enter') return
          event.preventDefault()
          if (event.key === 'Enter') change(text.trim())
          if (event.key === 'Escape' && text) setText('')
          else event.currentTarget.blur()
        }}
      />
      {keys && <Kbd keys={keys} />}
    </div>
  )
}
