import { Skeleton } from '../../patterns/states.tsx'
import styles from './home.module.css'

const space = '\u00a0'

export const HomeSkeleton = () => (
  <div className={styles.waiting} aria-busy="true">
    <div className={styles.tiles}>
      {['median', 'leads', 'pipeline', 'won'].map((tile) => (
        <div key={tile} className={styles.tile}>
          <span className={styles.change}>{space}</span>
          <span className={styles.value}>{space}</span>
          <span className={styles.change}>{space}</span>
        </div>
      ))}
    </div>
    <div className={styles.columns}>
      <WaitingCard rows={8} />
      <div className={styles.column}>
        <WaitingCard rows={3} />
        <WaitingCard rows={4} />
      </div>
    </div>
  </div>
)

const WaitingCard = ({ rows }: { rows: number }) => (
  <div className={styles.card}>
    <header />
    <Skeleton rows={rows} />
  </div>
)
