import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import styles from './record-panel.module.css'

export const BackLink = ({ to, search, label }: { to: string; search: object; label: string }) => (
  <nav className={styles.back} aria-label={label}>
    <Link to={to} search={search}>
      <ChevronLeft size={15} aria-hidden="true" />
      {label}
    </Link>
  </nav>
)
