import { useCallback } from 'react'
import { updateCadence } from '../../../api/access.gen.ts'
import { renderFailedPanel } from '../../../patterns/record/failed-panel.tsx'
import type { TemplateValue } from '../../../patterns/step-editor/template-values.ts'
import { useCommands } from '../../../session/commands.ts'
import { may, useMe } from '../../../session/me.ts'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { cadenceTexts } from '../../../texts/en/cadence-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Cadence, CadenceStats } from '../cadence-queries.ts'
import type { ChangeSearch } from '../record/cadence-search.ts'
import { Checklist } from '../record/checklist.tsx'
import { HeldChanges } from './held-changes.tsx'
import { NoSteps } from './no-steps.tsx'
import { RulesCard } from './rules-card.tsx'
import { confirmChanges, insertStep, moveStep, orderKey, undoOrder } from './step-edits.ts'
import { focusCard, focusedCard } from './step-focus.ts'
import { StepList } from './step-list.tsx'
import { newStepValues, type StepType } from './step-model.ts'
import styles from './steps.module.css'
import type { Steps } from './use-steps.ts'

const StepPanel = lazyPart(() => import('./step-panel.tsx'), 'StepPanel', {
  waiting: <div />,
  renderFailure: renderFailedPanel,
})

type PartProps = {
  cadence: Cadence
  steps: Steps
  /** The values that texts can contain, once they are read. */
  values: readonly TemplateValue[] | undefined
  stats: CadenceStats | undefined
  waiting: ReadonlyMap<string, number>
  openKey: string | undefined
  change: ChangeSearch
}

const maxSteps = 30

/** The line of steps, and one of them beside it. */
export function StepsPart({ cadence, steps, values, stats, waiting, openKey, change }: PartProps) {
  const me = useMe()
  const { edits } = steps
  const canEdit = may(me, updateCadence) && cadence.status !== 'archived'
  const at = edits.steps.findIndex(({ key, id }) => key === openKey || (id !== null && id === openKey))
  const step = edits.steps[at]
  const open = useCallback(
    (key: string | undefined) => change({ step: key }, { isReplaced: openKey !== undefined }),
    [change, openKey],
  )
  const add = (place: number, type: StepType = 'email_auto') => {
    const key = crypto.randomUUID()
    steps.edit((before) => insertStep(before, place, key, newStepValues(type, place === 0)))
    open(key)
  }
  const goTo = (place: number) => {
    const next = edits.steps[place]
    if (!next) return
    if (step) open(next.key)
    focusCard(next.key)
  }
  const move = (by: -1 | 1) => {
    const focused = focusedCard()
    const key = focused ?? step?.key
    if (!key) return
    steps.edit((before) => moveStep(before, key, by))
    if (focused) focusCard(focused)
  }
  const current = () => {
    const focused = edits.steps.findIndex(({ key }) => key === focusedCard())
    return focused >= 0 ? focused : at
  }
  const canAdd = canEdit && edits.steps.length < maxSteps
  const group = cadenceTexts.group
  useCommands([
    { id: 'steps:next', label: texts.next, group, keys: ['j'], isListed: false, run: () => goTo(current() + 1) },
    {
      id: 'steps:previous',
      label: texts.previous,
      group,
      keys: ['k'],
      isListed: false,
      run: () => goTo(Math.max(0, current() - 1)),
    },
    { id: 'steps:up', label: texts.moveUp, group, keys: ['Alt+ArrowUp'], isAvailable: canEdit, run: () => move(-1) },
    {
      id: 'steps:down',
      label: texts.moveDown,
      group,
      keys: ['Alt+ArrowDown'],
      isAvailable: canEdit,
      run: () => move(1),
    },
    {
      id: 'steps:add',
      label: texts.addStep,
      group,
      keys: ['a'],
      isAvailable: canAdd,
      run: () => add(current() < 0 ? edits.steps.length : current() + 1),
    },
    {
      id: 'steps:save',
      label: texts.save,
      group,
      keys: ['Mod+Enter'],
      isAvailable: canEdit,
      isListed: false,
      run: () => void steps.save(),
    },
  ])
  const live = cadence.live_count
  return (
    <div className={`${styles.split} ${step ? styles.withPanel : ''}`}>
      <div className={styles.left}>
        {steps.isOrderHeld && (
          <HeldChanges
            text={texts.orderChanged(live, formatNumber(live, me.locale))}
            undo={() => steps.editNow(undoOrder)}
            save={() => steps.editNow((before) => confirmChanges(before, orderKey))}
          />
        )}
        {edits.steps.length === 0 ? (
          <NoSteps {...{ cadence, steps, canEdit }} add={(type) => add(0, type)} />
        ) : (
          <>
            <StepList
              {...{ cadence, steps, values, stats, waiting, canEdit, open }}
              openKey={step?.key}
              add={canAdd ? add : undefined}
            />
            {cadence.status === 'draft' && canEdit && (
              <div className={styles.aside}>
                <Checklist {...{ steps, values, open }} />
              </div>
            )}
            <RulesCard cadence={cadence} canEdit={canEdit} />
          </>
        )}
      </div>
      {step && (
        <StepPanel
          key={step.key}
          {...{ cadence, steps, step, values, canEdit, goTo }}
          position={at + 1}
          waitingCount={step.id === null ? 0 : waiting.get(step.id)}
          addBelow={canAdd ? () => add(at + 1) : undefined}
          close={() => {
            open(undefined)
            focusCard(step.key)
          }}
        />
      )}
    </div>
  )
}
