import type { ReactNode } from 'react'
import styles from './badge.module.css'

export type Hue = 'info' | 'violet' | 'warning' | 'teal' | 'success' | 'danger' | 'neutral'

/** A state as a colored dot and a word, so that the color is never the only sign. */
export const Badge = ({ hue, hasDot = true, children }: { hue: Hue; hasDot?: boolean; children: ReactNode }) => (
  <span className={`${styles.badge} ${styles[hue]}`}>
    {hasDot && <i className={styles.dot} />}
    {children}
  </span>
)

export const Grade = ({ grade }: { grade: 'A' | 'B' | 'C' }) => (
  <span className={`${styles.grade} ${styles[grade]}`}>{grade}</span>
)

const gradeMarks = { A: 'success', B: 'warning', C: 'neutral' } as const

/** A score from 0 to 100 as a bar. The number stands next to it. */
export const ScoreBar = ({ score, grade }: { score: number; grade: 'A' | 'B' | 'C' }) => (
  <span className={styles.meter} aria-hidden="true">
    <span className={styles[`${gradeMarks[grade]}Mark`]} style={{ width: `${score}%` }} />
  </span>
)
