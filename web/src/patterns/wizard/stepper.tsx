import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { wizardTexts } from '../../texts/en/wizard-texts.ts'
import styles from './wizard.module.css'

export type WizardStep = {
  key: string
  label: string
  state: 'done' | 'current' | 'ahead'
  /** The search of the step, if it can be opened. */
  search?: object
}

/** The steps of a wizard. On a phone only the current one has its name. */
export const Stepper = ({ steps }: { steps: readonly WizardStep[] }) => (
  <nav aria-label={wizardTexts.steps}>
    <ol className={styles.steps}>
      {steps.map((step, at) => (
        <li key={step.key} className={styles[step.state]}>
          {step.search && step.state !== 'current' ? (
            <Link to="." search={step.search} className={styles.step}>
              <StepContent step={step} number={at + 1} />
            </Link>
          ) : (
            <span className={styles.step} aria-current={step.state === 'current' ? 'step' : undefined}>
              <StepContent step={step} number={at + 1} />
            </span>
          )}
        </li>
      ))}
    </ol>
  </nav>
)

const StepContent = ({ step: { state, label }, number }: { step: WizardStep; number: number }) => (
  <>
    <span className={styles.number}>{state === 'done' ? <Check size={12} aria-hidden="true" /> : number}</span>
    <span className={styles.label}>{label}</span>
    {state === 'done' && <span className="visually-hidden">{wizardTexts.done}</span>}
  </>
)
