import { showShortcuts } from '../../session/shortcuts.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import { peopleTexts } from '../../texts/en/people-texts.ts'
import { Kbd } from '../../ui/kbd.tsx'
import styles from './people.module.css'

/** The position in the list and its keys. */
export const ListFoot = ({ position, count }: { position: number; count: number }) => (
  <div className={styles.foot}>
    <span>{listTexts.position(position, String(count))}</span>
    <span className={styles.hint}>
      <Kbd keys="j k" /> {peopleTexts.move}
    </span>
    <span className={styles.hint}>
      <Kbd keys="Enter" /> {peopleTexts.openRow}
    </span>
    <button type="button" className={`${styles.hint} ${styles.shortcuts}`} onClick={showShortcuts}>
      <Kbd keys="?" /> {peopleTexts.allShortcuts}
    </button>
  </div>
)
