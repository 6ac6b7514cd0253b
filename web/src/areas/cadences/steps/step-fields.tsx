import { useState } from 'react'
import { TemplateField } from '../../../patterns/step-editor/template-field.tsx'
import { countWords, type ValueNames } from '../../../patterns/step-editor/template-text.ts'
import type { TemplateValue } from '../../../patterns/step-editor/template-values.ts'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { stepEditorTexts } from '../../../texts/en/step-editor-texts.ts'
import { Checkbox, SelectField, TextArea } from '../../../ui/field.tsx'
import { type EditedStep, isEmail, type StepType, type StepValues, stepTypes } from './step-model.ts'
import styles from './step-panel.module.css'
import { listStepProblems, type StepProblem, type TextField } from './step-problems.ts'
import { WaitFields } from './wait-fields.tsx'

const channels = stepTypes.map((value) => ({ value, label: texts.channels[value] }))
const skipDays = [1, 2, 3, 5, 7, 10, 14, 21, 30, 60]

type FieldsProps = {
  step: EditedStep
  position: number
  hasEmailBefore: boolean
  values: readonly TemplateValue[] | undefined
  missing: ValueNames | undefined
  change: (changes: Partial<StepValues>) => void
}

export function StepFields({ step, position, hasEmailBefore, values, missing, change }: FieldsProps) {
  const { values: shown } = step
  const [touched, setTouched] = useState<readonly TextField[]>([])
  const known = values && new Set(values.map(({ key }) => key))
  const problems = listStepProblems(shown, known)
  const errorOf = (field: TextField) => {
    const problem = problems.find((one) => one.field === field)
    // A new step is empty without being wrong.
    if (!problem || (problem.kind === 'required' && step.id === null && !touched.includes(field))) return undefined
    return describeProblem(problem)
  }
  const changeText = (field: TextField) => (text: string) => {
    setTouched((before) => (before.includes(field) ? before : [...before, field]))
    change({ [field]: text === '' ? null : text })
  }
  const isTask = shown.type !== 'email_auto'
  return (
    <>
      <div className={styles.pair}>
        <SelectField
          label={texts.channel}
          options={channels}
          value={shown.type}
          onChange={({ target }) => change({ type: target.value as StepType })}
        />
        <WaitFields wait={shown} change={change} />
      </div>
      {isEmail(shown) && (
        <>
          {hasEmailBefore && position > 1 && (
            <Checkbox
              label={texts.replyInThread}
              checked={shown.reply_in_thread}
              onChange={({ target }) => change({ reply_in_thread: target.checked })}
            />
          )}
          <TemplateField
            label={texts.subject}
            name="subject_template"
            text={shown.subject_template ?? ''}
            change={changeText('subject_template')}
            maxLength={200}
            error={errorOf('subject_template')}
            {...{ values, missing }}
          />
          <TemplateField
            label={texts.text}
            name="body_template"
            text={shown.body_template ?? ''}
            change={changeText('body_template')}
            maxLength={20_000}
            isMultiline
            error={errorOf('body_template')}
            foot={<span className="number">{stepEditorTexts.words(countWords(shown.body_template ?? ''))}</span>}
            {...{ values, missing }}
          />
        </>
      )}
      {isTask && (
        <>
          <TextArea
            label={texts.instructions}
            name="instructions"
            rows={4}
            maxLength={2_000}
            value={shown.instructions ?? ''}
            onChange={({ target }) => change({ instructions: target.value === '' ? null : target.value })}
          />
          <SelectField
            label={texts.autoSkip}
            options={listSkipOptions(shown.auto_skip_after_days)}
            value={String(shown.auto_skip_after_days ?? '')}
            onChange={({ target }) =>
              change({ auto_skip_after_days: target.value === '' ? null : Number(target.value) })
            }
          />
        </>
      )}
    </>
  )
}

const listSkipOptions = (current: number | null) => [
  ...[...new Set([...skipDays, ...(current === null ? [] : [current])])]
    .toSorted((one, other) => one - other)
    .map((days) => ({ value: String(days), label: texts.autoSkipAfter(days) })),
  { value: '', label: texts.autoSkipNever },
]

function describeProblem({ kind, value = '' }: StepProblem): string {
  return kind === 'unknown' ? texts.errors.unknown(value) : texts.errors[kind]
}
