import { useTask } from '../../../api/tasks.ts'
import { useMe } from '../../../session/me.ts'
import { importCheckTexts as texts } from '../../../texts/en/import-check-texts.ts'
import { importTexts } from '../../../texts/en/import-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import styles from '../imports.module.css'
import { isSaved } from '../model/draft.ts'
import { ProgressCard } from '../run/progress-card.tsx'
import type { Wizard } from '../wizard/wizard-model.ts'
import { Outcomes } from './outcomes.tsx'

export function CheckStep({ wizard, cancel }: { wizard: Wizard; cancel: () => void }) {
  const { file, draft } = wizard
  const { locale } = useMe()
  const task = useTask(file.state === 'checking' ? (file.task_id ?? undefined) : undefined)
  const total = formatNumber(file.row_count, locale)
  if (file.state === 'checking')
    return (
      <div className={styles.page}>
        <div className={styles.narrow}>
          <ProgressCard
            title={texts.checking(file.row_count, total)}
            done={task?.progress.done ?? 0}
            total={file.row_count}
            cancel={cancel}
            note={texts.checkingNote}
          />
        </div>
      </div>
    )
  if (!file.dry_run) return null
  return (
    <div className={styles.page}>
      <div className={styles.wide}>
        {!isSaved(draft, file) && (
          <p className={styles.changed} role="status">
            {importTexts.changedSince}
          </p>
        )}
        <Outcomes
          wizard={wizard}
          title={texts.willHappen(file.row_count, total)}
          counts={file.dry_run}
          run={file.dry_run.finished_at}
        />
      </div>
    </div>
  )
}
