import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { type EditedStep, isEmail } from './step-model.ts'
import styles from './step-panel.module.css'
import { describeWait, detailOf } from './step-words.ts'

/** A step for people who cannot change it. */
export function StoredStepText({ step: { values }, position }: { step: EditedStep; position: number }) {
  return (
    <dl className={styles.stored}>
      <dt>{texts.channel}</dt>
      <dd>{detailOf(values, position)}</dd>
      <dt>{texts.waitLabel}</dt>
      <dd>{describeWait(values)}</dd>
      {isEmail(values) && values.subject_template && (
        <>
          <dt>{texts.subject}</dt>
          <dd>{values.subject_template}</dd>
        </>
      )}
      {isEmail(values) && values.body_template && (
        <>
          <dt>{texts.text}</dt>
          <dd className={styles.prose}>{values.body_template}</dd>
        </>
      )}
      {values.instructions && (
        <>
          <dt>{texts.instructions}</dt>
          <dd className={styles.prose}>{values.instructions}</dd>
        </>
      )}
    </dl>
  )
}
