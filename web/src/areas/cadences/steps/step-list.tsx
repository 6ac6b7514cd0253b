import { Check, Clock3, Plus } from 'lucide-react'
import { Fragment } from 'react'
import type { TemplateValue } from '../../../patterns/step-editor/template-values.ts'
import { useMe } from '../../../session/me.ts'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { textLanguage } from '../../../texts/language.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { Cadence, CadenceStats } from '../cadence-queries.ts'
import { StepCard } from './step-card.tsx'
import { daysOfSteps } from './step-days.ts'
import { StepFigures, toFigures, totalFigures } from './step-figures.tsx'
import { describeWait } from './step-words.ts'
import styles from './steps.module.css'
import type { Steps } from './use-steps.ts'

type ListProps = {
  cadence: Cadence
  steps: Steps
  values: readonly TemplateValue[] | undefined
  stats: CadenceStats | undefined
  openKey: string | undefined
  open: (key: string) => void
  add: ((place: number) => void) | undefined
}

/** All steps below each other, with their days, the waits between them and their figures. */
export function StepList({ cadence, steps, values, stats, openKey, open, add }: ListProps) {
  const { locale } = useMe()
  const list = steps.edits.steps
  const days = daysOfSteps(list.map((step) => step.values))
  const lastDay = days.at(-1)!
  const hasFigures = cadence.enrolled_count > 0
  const figuresOf = (id: string | null) => stats?.steps.find((step) => step.step_id === id)
  return (
    <>
      {hasFigures && (
        <div className={styles.columns} aria-hidden="true">
          <span>{texts.columns.step}</span>
          <span className={styles.figures}>
            {[texts.columns.waiting, texts.columns.done, texts.columns.replied, texts.columns.bounced].map((name) => (
              <span key={name}>{name}</span>
            ))}
          </span>
        </div>
      )}
      <ol className={styles.steps} aria-label={texts.steps}>
        {list.map((step, at) => (
          <Fragment key={step.key}>
            {(at > 0 || describeWait(step.values) !== texts.atOnce) && (
              <li className={styles.wait}>
                <span className={styles.line} />
                <span className={styles.time}>
                  <Clock3 size={12} aria-hidden="true" />
                  {describeWait(step.values)}
                  {add && (
                    <IconButton
                      label={texts.insertHere(at + 1)}
                      icon={<Plus size={12} />}
                      size="small"
                      className={styles.insert}
                      onClick={() => add(at)}
                    />
                  )}
                </span>
              </li>
            )}
            <li className={styles.step} data-open={step.key === openKey || undefined}>
              <span className={styles.day}>{texts.day(days[at]!)}</span>
              <span className={styles.dot} aria-hidden="true">
                {at + 1}
              </span>
              <StepCard
                {...{ step, steps, values }}
                position={at + 1}
                day={days[at]!}
                isOpen={step.key === openKey}
                figures={hasFigures ? toFigures(figuresOf(step.id), step.values, locale) : undefined}
                open={() => open(step.key)}
              />
            </li>
          </Fragment>
        ))}
        <li className={styles.end}>
          <span className={styles.day}>{texts.day(lastDay)}</span>
          <span className={styles.dot}>
            <Check size={13} aria-hidden="true" />
          </span>
          <span className={styles.ending}>
            {add && (
              <Button
                size="small"
                icon={<Plus size={13} />}
                aria-label={texts.addStep}
                onClick={() => add(list.length)}
              >
                {texts.add}
              </Button>
            )}
            {describeEnd(cadence.exit_on)}
          </span>
        </li>
      </ol>
      {hasFigures && stats && (
        <div className={styles.total}>
          <b>{texts.allSteps}</b>
          <StepFigures figures={totalFigures(stats, locale)} />
        </div>
      )}
    </>
  )
}

function describeEnd(exits: Cadence['exit_on']): string {
  const names = (['reply', 'meeting', 'bounce'] as const).filter((name) => exits[name]).map((name) => texts.exits[name])
  if (names.length === 0) return texts.ends
  const list = new Intl.ListFormat(textLanguage(), { type: 'disjunction' }).format(names)
  return texts.endsEarlier(list.charAt(0).toUpperCase() + list.slice(1))
}
