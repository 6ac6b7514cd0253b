import { uiTexts } from '../texts/en/ui-texts.ts'
import styles from './kbd.module.css'

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)

const { keys } = uiTexts

const names: Readonly<Record<string, string>> = {
  Mod: isApple ? '⌘' : keys.control,
  Shift: '⇧',
  Enter: '↵',
  Escape: keys.escape,
  ArrowDown: '↓',
  ArrowUp: '↑',
  PageDown: keys.pageDown,
  PageUp: keys.pageUp,
  Home: keys.home,
  End: keys.end,
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
