import { GitMerge } from 'lucide-react'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { Button } from '../../ui/button.tsx'
import styles from './field-list.module.css'
import type { SaveFields } from './use-save-fields.ts'

/** Lets the user choose when another user changed the same fields. */
export function ConflictBar({
  changes,
  labelOf,
  format,
}: {
  changes: Pick<SaveFields, 'conflicts' | 'takeTheirs' | 'saveMine'>
  labelOf: (field: string) => string
  format: (field: string, value: unknown) => string
}) {
  if (changes.conflicts.length === 0) return null
  return (
    <div className={styles.conflict} role="alert">
      <p className={styles.conflictText}>
        <GitMerge size={16} aria-hidden="true" /> {recordTexts.conflict(changes.conflicts.length)}
      </p>
      <dl className={styles.list}>
        {changes.conflicts.map(({ field, mine, theirs }) => (
          <div key={field} className={styles.field}>
            <dt>{labelOf(field)}</dt>
            <dd>
              <b>{format(field, mine)}</b> {recordTexts.mine} · <b>{format(field, theirs)}</b> {recordTexts.theirs}
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.buttons}>
        <Button size="small" onClick={changes.takeTheirs}>
          {recordTexts.takeTheirs}
        </Button>
        <Button size="small" variant="primary" onClick={changes.saveMine}>
          {recordTexts.saveMine}
        </Button>
      </div>
    </div>
  )
}
