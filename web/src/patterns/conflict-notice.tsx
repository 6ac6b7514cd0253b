import { GitMerge } from 'lucide-react'
import { formTexts } from '../texts/en/form-texts.ts'
import { Button } from '../ui/button.tsx'
import styles from './form.module.css'
import type { RecordForm } from './use-record-form.ts'

/** Shows what another user entered in the same fields. It is part of the form, so its second button saves. */
export function ConflictNotice({ form, labels }: { form: RecordForm; labels: Readonly<Record<string, string>> }) {
  if (form.conflicts.length === 0) return null
  return (
    <div className={styles.conflict} role="alert">
      <p>
        <GitMerge size={16} />
        {formTexts.conflict}
      </p>
      <dl>
        {form.conflicts.map(({ field, theirs }) => (
          <div key={field}>
            <dt>{labels[field] ?? field}</dt>
            <dd>{theirs === null || theirs === '' ? formTexts.emptied : formTexts.newValue(String(theirs))}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.choices}>
        <Button size="small" onClick={form.takeTheirs}>
          {formTexts.takeTheirs}
        </Button>
        <Button size="small" type="submit" disabled={form.isPending}>
          {formTexts.saveMine}
        </Button>
      </div>
    </div>
  )
}
