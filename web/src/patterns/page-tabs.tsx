import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './page-tabs.module.css'

type PageTab = { key: string; label: string; count?: string; search: object }

/** The parts of a record, each with an address of its own, and facts about the record on the right. */
export const PageTabs = ({
  label,
  tabs,
  current,
  children,
}: {
  label: string
  tabs: readonly PageTab[]
  current: string
  children?: ReactNode
}) => (
  <div className={styles.bar}>
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ key, label: text, count, search }) => (
        <Link
          key={key}
          to="."
          search={search as never}
          activeOptions={{ exact: true }}
          className={styles.tab}
          aria-current={key === current ? 'page' : undefined}
        >
          {text}
          {count && <span className={styles.count}>{count}</span>}
        </Link>
      ))}
    </nav>
    <div className={styles.facts}>{children}</div>
  </div>
)
