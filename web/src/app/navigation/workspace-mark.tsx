import styles from './navigation.module.css'

export const WorkspaceMark = () => (
  <span className={styles.mark} aria-hidden="true">
    <svg
      width="14"
      height="14"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
    >
      <title>Tributary</title>
      <path d="M5 3c0 5 7 6 7 11m7-11c0 5-7 6-7 11m0 0v7" />
    </svg>
  </span>
)
