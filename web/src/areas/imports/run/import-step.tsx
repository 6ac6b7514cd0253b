import { useTask } from '../../../api/tasks.ts'
import { useMe } from '../../../session/me.ts'
import { importCheckTexts as checkTexts } from '../../../texts/en/import-check-texts.ts'
import { importRunTexts as texts } from '../../../texts/en/import-run-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { OutcomeRows } from '../check/outcome-rows.tsx'
import { Outcomes } from '../check/outcomes.tsx'
import { isAtWork } from '../import-api.ts'
import styles from '../imports.module.css'
import type { Wizard } from '../wizard/wizard-model.ts'
import { EndState } from './end-state.tsx'
import { ProgressCard } from './progress-card.tsx'
import own from './run.module.css'

type StepProps = { wizard: Wizard; cancel: () => void; undo: () => void }

export function ImportStep({ wizard, cancel, undo }: StepProps) {
  const { file } = wizard
  const { locale } = useMe()
  const task = useTask(isAtWork(file) ? (file.task_id ?? undefined) : undefined)
  const number = (value: number) => formatNumber(value, locale)
  if (file.state === 'running')
    return (
      <div className={styles.page}>
        <div className={styles.narrow}>
          <ProgressCard
            title={texts.running}
            done={Math.max(task?.progress.done ?? 0, file.done_rows)}
            total={file.row_count}
            cancel={cancel}
            note={texts.leave}
          >
            {texts.counts(number(file.created), number(file.updated), number(file.failed))}
          </ProgressCard>
        </div>
      </div>
    )
  if (file.state === 'undoing')
    return (
      <div className={styles.page}>
        <div className={styles.narrow}>
          <ProgressCard
            title={texts.undoing}
            done={Math.max(task?.progress.done ?? 0, file.undone + file.kept)}
            total={file.created + file.updated}
            cancel={cancel}
            note={texts.leave}
          >
            {texts.undoCounts(number(file.undone), number(file.kept))}
          </ProgressCard>
        </div>
      </div>
    )
  const run = file.finished_at ?? ''
  return (
    <div className={styles.page}>
      <div className={styles.wide}>
        <section className={`${styles.card} ${own.state}`}>
          <EndState wizard={wizard} undo={undo} />
        </section>
        {file.state === 'undone' ? (
          file.kept > 0 && (
            <OutcomeRows wizard={wizard} outcome="kept" label={texts.keptRows} count={file.kept} run={run} />
          )
        ) : (
          <Outcomes
            wizard={wizard}
            title={checkTexts.hasHappened(file.done_rows, number(file.done_rows))}
            counts={file}
            run={run}
          />
        )}
      </div>
    </div>
  )
}
