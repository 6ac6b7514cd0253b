import type { ReactNode } from 'react'
import styles from './page-header.module.css'
import { usePageTitle } from './use-page-title.ts'

export function PageHeader({ title, tabs, actions }: { title: string; tabs?: ReactNode; actions?: ReactNode }) {
  usePageTitle(title)
  return (
    <header className={styles.header}>
      <h1>{title}</h1>
      {tabs}
      <div className={styles.actions}>{actions}</div>
    </header>
  )
}

/** A bar below the header, for filters and figures of the list. */
export const PageBar = ({ children }: { children: ReactNode }) => <div className={styles.bar}>{children}</div>
