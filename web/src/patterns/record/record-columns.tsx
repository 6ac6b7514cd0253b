import type { ReactNode } from 'react'
import styles from './record-columns.module.css'

type ColumnsProps = { fields: ReactNode; children: ReactNode }

/** The fields of a record beside its history, on a page that is wide enough. */
export const RecordColumns = ({ fields, children }: ColumnsProps) => (
  <div className={styles.columns}>
    <div>{fields}</div>
    <div>{children}</div>
  </div>
)

/** The fields of a record before its history. */
export const OneColumn = ({ fields, children }: ColumnsProps) => (
  <>
    {fields}
    {children}
  </>
)
