import type { ReactNode } from 'react'
import styles from './settings.module.css'

/** The heading of a section. A section has one level-two heading, its cards have level three. */
export const SectionHeader = ({ title, text, action }: { title: string; text?: string; action?: ReactNode }) => (
  <header className={styles.sectionHeader}>
    <div>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
    </div>
    {action}
  </header>
)

export const Card = ({
  title,
  text,
  action,
  children,
}: {
  title: string
  text?: string
  action?: ReactNode
  children: ReactNode
}) => (
  <section className={styles.card}>
    <header>
      <div>
        <h3>{title}</h3>
        {text && <p>{text}</p>}
      </div>
      {action}
    </header>
    {children}
  </section>
)
