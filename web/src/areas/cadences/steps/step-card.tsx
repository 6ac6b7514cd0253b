import { CircleCheck, Mail, MailPlus, Phone, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TemplateValue } from '../../../patterns/step-editor/template-values.ts'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { StepFigures, type toFigures } from './step-figures.tsx'
import { cardId } from './step-focus.ts'
import type { EditedStep, StepType } from './step-model.ts'
import { listStepProblems } from './step-problems.ts'
import { detailOf, titleOf } from './step-words.ts'
import styles from './steps.module.css'
import type { Steps } from './use-steps.ts'

export const stepIcons: Readonly<Record<StepType, ReactNode>> = {
  email_auto: <Mail size={16} />,
  email_manual: <MailPlus size={16} />,
  call: <Phone size={16} />,
  task: <CircleCheck size={16} />,
}

type CardProps = {
  step: EditedStep
  steps: Steps
  values: readonly TemplateValue[] | undefined
  position: number
  day: number
  isOpen: boolean
  figures: ReturnType<typeof toFigures> | undefined
  open: () => void
}

export function StepCard({ step, steps, values, position, day, isOpen, figures, open }: CardProps) {
  const problem = describeProblem(step, steps, values)
  return (
    <button
      type="button"
      id={cardId(step.key)}
      className={styles.card}
      aria-current={isOpen ? 'step' : undefined}
      onClick={open}
    >
      <span className={`${styles.channel} ${styles[step.values.type]}`}>{stepIcons[step.values.type]}</span>
      <span className={styles.words}>
        <span className="visually-hidden">{texts.step(position)}: </span>
        <b>{titleOf(step.values)}</b>
        <small>
          <span className={styles.dayOnPhone}>{texts.day(day)} · </span>
          {detailOf(step.values, position)}
        </small>
      </span>
      {problem && (
        <Badge hue="warning" hasDot={false}>
          <TriangleAlert size={12} />
          {problem}
        </Badge>
      )}
      {figures && <StepFigures figures={figures} />}
    </button>
  )
}

/** Names what the step lacks in one or two words. */
function describeProblem(step: EditedStep, { edits, needsAnswer }: Steps, values: CardProps['values']) {
  const known = values && new Set(values.map(({ key }) => key))
  const [problem] = listStepProblems(step.values, known)
  if (problem?.kind === 'unknown') return problem.value
  if (problem) return problem.field === 'subject_template' ? texts.missing.subject : texts.missing.text
  if (edits.conflicts.some(({ key }) => key === step.key)) return texts.missing.conflict
  if (edits.rejected[step.key] !== undefined) return texts.missing.unsaved
  if (needsAnswer(step) && !edits.confirmed.includes(step.key)) return texts.missing.question
  return undefined
}
