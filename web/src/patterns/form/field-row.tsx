import type { ReactNode } from 'react'
import styles from './field-row.module.css'

/** Fields side by side, such as amount and currency. */
export const FieldRow = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>
