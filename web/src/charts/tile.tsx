import type { ReactNode } from 'react'
import { unknown } from './chart-model.ts'
import styles from './tile.module.css'

export type TileProps = {
  label: string
  /** Null if the figure is unknown. */
  value: string | null
  /** The parts of the figure, or the reason why it is unknown. */
  note?: ReactNode
  /** Only if the note reports that something is good or bad. */
  tone?: 'good' | 'bad'
  /** Shows the records that the figure counts. */
  open?: () => void
}

export const Tiles = ({ label, tiles }: { label: string; tiles: readonly TileProps[] }) => (
  <section aria-label={label}>
    <dl className={styles.tiles}>
      {tiles.map((tile) => (
        <Tile key={tile.label} {...tile} />
      ))}
    </dl>
  </section>
)

const Tile = ({ label, value, note, tone, open }: TileProps) => (
  <div className={styles.tile}>
    <dt>{label}</dt>
    <dd className={styles.value}>
      {open && value !== null ? (
        <button type="button" className={styles.open} onClick={open}>
          {value}
        </button>
      ) : (
        (value ?? unknown)
      )}
    </dd>
    {note && <dd className={`${styles.note} ${tone ? styles[tone] : ''}`}>{note}</dd>}
  </div>
)
