import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { listTexts } from '../../texts/en/list-texts.ts'
import styles from './filter-chip.module.css'

/** One filter of a list: what is filtered, the value, and a button that removes it. */
export function FilterChip({ label, children, remove }: { label: string; children: ReactNode; remove?: () => void }) {
  return (
    <span className={styles.chip}>
      <span className={styles.label}>{label}</span>
      <span className={styles.value}>{children}</span>
      {remove && (
        <button
          type="button"
          className={styles.remove}
          aria-label={listTexts.removeFilter(label)}
          title={listTexts.removeFilter(label)}
          onClick={remove}
        >
          <X size={13} />
        </button>
      )}
    </span>
  )
}
