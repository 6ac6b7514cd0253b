import { useState } from 'react'
import { useMe } from '../../../session/me.ts'
import { importCheckTexts as texts } from '../../../texts/en/import-check-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import styles from '../imports.module.css'
import { firstOutcome, outcomes } from '../model/steps.ts'
import type { Outcome } from '../model/types.ts'
import type { Wizard } from '../wizard/wizard-model.ts'
import own from './check.module.css'
import { OutcomeRows } from './outcome-rows.tsx'

type OutcomesProps = {
  wizard: Wizard
  title: string
  counts: Record<Outcome, number>
  /** Tells the rows of one check or run from those of another. */
  run: string
}

export function Outcomes({ wizard, title, counts, run }: OutcomesProps) {
  const { locale } = useMe()
  const [chosen, setChosen] = useState<Outcome>()
  const labels = texts.outcomes[wizard.type]
  const current = chosen ?? firstOutcome(counts)
  const exclusive = outcomes.filter((outcome) => outcome !== 'warnings')
  const total = exclusive.reduce((sum, outcome) => sum + counts[outcome], 0)
  const describe = (outcome: Outcome) => `${formatNumber(counts[outcome], locale)} ${labels[outcome]}`
  return (
    <>
      <section className={styles.card}>
        <div className={own.title}>
          <h2>{title}</h2>
          <span>{texts.chooseOutcome}</span>
        </div>
        <div className={own.stack} role="img" aria-label={exclusive.map(describe).join(', ')}>
          {exclusive
            .filter((outcome) => counts[outcome] > 0)
            .map((outcome) => (
              <span
                key={outcome}
                className={own[outcome]}
                style={{ width: `max(${(counts[outcome] / total) * 100}%, 8px)` }}
              />
            ))}
        </div>
        <div className={own.outcomes}>
          {outcomes.map((outcome) => (
            <button
              key={outcome}
              type="button"
              aria-pressed={outcome === current}
              className={own.outcome}
              onClick={() => setChosen(outcome)}
            >
              <span className={own.label}>
                <i className={own[outcome]} />
                {labels[outcome]}
              </span>
              <span className={own.value}>{formatNumber(counts[outcome], locale)}</span>
              <span className={own.note}>{texts.note(outcome, wizard.draft.options.on_match)}</span>
            </button>
          ))}
        </div>
      </section>
      <OutcomeRows
        key={`${current} ${run}`}
        wizard={wizard}
        outcome={current}
        label={labels[current]}
        count={counts[current]}
        run={run}
      />
    </>
  )
}
