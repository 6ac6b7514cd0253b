import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './record-head.module.css'
import { usePageTitle } from './use-page-title.ts'

type RecordHeadProps = {
  list: { to: string; search: object; label: string }
  name: string
  badge?: ReactNode
  /** Such as the mark of saved changes. */
  note?: ReactNode
  children?: ReactNode
}

/** The head of a record that is a page of its own: the way back to its list, its name and its actions. */
export function RecordHead({ list, name, badge, note, children }: RecordHeadProps) {
  usePageTitle(name)
  return (
    <header className={styles.head}>
      <Link to={list.to as '/'} search={list.search as never} className={styles.crumb}>
        {list.label}
      </Link>
      <ChevronRight size={14} className={styles.crumb} aria-hidden="true" />
      <h1>{name}</h1>
      {badge}
      <span className={styles.space} />
      {note}
      {children}
    </header>
  )
}
