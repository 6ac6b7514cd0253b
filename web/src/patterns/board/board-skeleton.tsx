import styles from './board-skeleton.module.css'

const lanes = [3, 2, 3, 1]

/** Nothing for a moment, then gray cards of the final size. */
export const BoardSkeleton = () => (
  <div className={styles.skeleton} aria-busy="true">
    {lanes.map((cards, lane) => (
      <div key={lane} className={styles.lane} aria-hidden="true">
        <span className={styles.bar} />
        {Array.from({ length: cards }, (_, at) => (
          <span key={at} className={styles.card} />
        ))}
      </div>
    ))}
  </div>
)
