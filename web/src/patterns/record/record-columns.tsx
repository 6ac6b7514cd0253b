import type { ReactNode } from 'react'
import styles from './record-columns.module.css'

type ColumnsProps = { fields: ReactNode; children: ReactNode }

export const RecordColumns = ({ fields, children }: ColumnsProps) => (
  <div className={styles.columns}>
    <div>{fields}</div>
    <div>{children}</div>
  </div>
)

export const OneColumn = ({ fields, children }: ColumnsProps) => (
  <>
    {fields}
    {children}
  </>
)
