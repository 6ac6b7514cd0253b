import { Skeleton } from '../../patterns/states.tsx'
import styles from './home.module.css'

export const HomeSkeleton = () => (
  <div className={styles.waiting} aria-busy="true">
    <div className={styles.tiles}>
      {['median', 'leads', 'pipeline', 'won'].map((tile) => (
        <div key={tile} className={styles.tile}>
          <span className={styles.change}>&nbsp;</span>
          <span className={styles.value}>&nbsp;</span>
          <span className={styles.change}>&nbsp;</span>
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
