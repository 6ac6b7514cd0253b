import styles from './kbd.module.css'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

const names: Readonly<Record<string, string>> = {
  Mod: isApple ? '⌘' : 'Ctrl',
  Shift: '⇧',
  Enter: '↵',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
  Home: 'Home',
  End: 'End',
}

/** Shows the keys of a command. Screen readers get them from the list of shortcuts. */
export const Kbd = ({ keys }: { keys: string }) => (
  <span className={styles.keys} aria-hidden="true">
    {keys.split(/[+ ]/).map((key) => (
      <kbd key={key} className={styles.key}>
        {names[key] ?? key.toUpperCase()}
      </kbd>
    ))}
  </span>
)
