import { dealTexts } from '../../../texts/en/deal-texts.ts'
import styles from './stage-steps.module.css'

type Stage = { key: string; label: string; kind: 'open' | 'won' | 'lost'; is_active: boolean }

type StepsProps = { stages: readonly Stage[]; currentKey: string; move?: (key: string) => void }

/** The open stages of a deal as steps. A step moves the deal to its stage. */
export function StageSteps({ stages, currentKey, move }: StepsProps) {
  const steps = stages.filter(({ key, kind, is_active }) => kind === 'open' && (is_active || key === currentKey))
  const at = steps.findIndex(({ key }) => key === currentKey)
  return (
    <ol className={styles.steps} aria-label={dealTexts.stages}>
      {steps.map(({ key, label }, step) => {
        const state = step < at ? styles.done : step === at ? styles.current : ''
        const current = step === at ? ('step' as const) : undefined
        return (
          <li key={key}>
            {move && step !== at ? (
              <button
                type="button"
                className={`${styles.step} ${state}`}
                aria-label={dealTexts.moveTo(label)}
                title={dealTexts.moveTo(label)}
                onClick={() => move(key)}
              >
                <span>{label}</span>
              </button>
            ) : (
              <span className={`${styles.step} ${state}`} aria-current={current}>
                <span>{label}</span>
              </span>
            )}
          </li>
        )
      })}
    </ol>
  )
}
