import { ChevronDown } from 'lucide-react'
import type { SelectHTMLAttributes } from 'react'
import styles from './values.module.css'

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & { label: string }

export const NativeSelect = ({ label, ...select }: SelectProps) => (
  <span className={styles.selectBox}>
    <select aria-label={label} className={styles.select} {...select} />
    <ChevronDown size={13} aria-hidden="true" />
  </span>
)
