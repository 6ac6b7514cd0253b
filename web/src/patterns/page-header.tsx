import type { ReactNode } from 'react'
import styles from './page-header.module.css'
import { usePageTitle } from './use-page-title.ts'

type PageHeaderProps = {
  title: string
  /** Named before the title by screen readers, if the title is only a part of the page. */
  context?: string
  tabs?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, context, tabs, actions }: PageHeaderProps) {
  usePageTitle(context ?? title)
  return (
    <header className={styles.header}>
      <h1>
        {context && <span className="visually-hidden">{context}: </span>}
        {title}
      </h1>
      {tabs}
      <div className={styles.actions}>{actions}</div>
    </header>
  )
}

/** A bar below the header, for filters and figures of the list. */
export const PageBar = ({ children }: { children: ReactNode }) => <div className={styles.bar}>{children}</div>
