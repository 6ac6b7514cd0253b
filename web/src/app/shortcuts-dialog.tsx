import { useState } from 'react'
import { useStore } from '../api/store.ts'
import { listCommands } from '../session/commands.ts'
import { changePreferences, preferences } from '../session/preferences.ts'
import { commandTexts } from '../texts/en/command-texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox } from '../ui/field.tsx'
import { Kbd } from '../ui/kbd.tsx'
import styles from './shortcuts-dialog.module.css'

export function ShortcutsDialog({ close }: { close: () => void }) {
  const [commands] = useState(listCommands)
  const { hasShortcuts } = useStore(preferences)
  const groups = Map.groupBy(
    commands.filter(({ keys }) => keys?.length),
    ({ group }) => group,
  )
  return (
    <Dialog title={commandTexts.shortcuts} close={close} width="wide" isForReading>
      <div className={styles.groups}>
        {[...groups].map(([group, members]) => (
          <section key={group} className={styles.group}>
            <h3>{group}</h3>
            <dl>
              {members.map(({ id, label, keys }) => (
                <div key={id} className={styles.row}>
                  <dt>{label}</dt>
                  <dd>
                    <span className="visually-hidden">{keys!.map(sayKeys).join(` ${commandTexts.or} `)}</span>
                    {keys!.map((one) => (
                      <Kbd key={one} keys={one} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div>
        <Checkbox
          label={commandTexts.singleKeys}
          checked={hasShortcuts}
          onChange={({ target }) => changePreferences({ hasShortcuts: target.checked })}
        />
        <p className={styles.hint}>{commandTexts.singleKeysHint}</p>
      </div>
    </Dialog>
  )
}

/** Screen readers read words instead of symbols: "g then l", "Control k". */
const sayKeys = (keys: string): string =>
  keys
    .split(' ')
    .map((key) => key.replaceAll('Mod', commandTexts.mod).replaceAll('+', ' '))
    .join(` ${commandTexts.thenKey} `)
