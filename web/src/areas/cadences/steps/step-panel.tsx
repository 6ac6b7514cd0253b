import { Send, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { sendTestEmail } from '../../../api/access.gen.ts'
import { FormProblem } from '../../../patterns/form-message.tsx'
import { ConflictBar } from '../../../patterns/record/conflict-bar.tsx'
import type { TemplateValue } from '../../../patterns/step-editor/template-values.ts'
import { useCommands } from '../../../session/commands.ts'
import { may, useMe } from '../../../session/me.ts'
import { cadenceStepTexts as texts } from '../../../texts/en/cadence-step-texts.ts'
import { cadenceTexts } from '../../../texts/en/cadence-texts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { formatNumber } from '../../../ui/format.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import { showToast } from '../../../ui/toast.tsx'
import type { Cadence } from '../cadence-queries.ts'
import { HeldChanges } from './held-changes.tsx'
import { StepPreview } from './preview/step-preview.tsx'
import { usePreview } from './preview/use-preview.ts'
import { useTestEmail } from './preview/use-test-email.ts'
import {
  changeStep,
  confirmChanges,
  insertStep,
  moveStep,
  removeStep,
  saveMine,
  takeTheirs,
  undoStep,
} from './step-edits.ts'
import { StepFields } from './step-fields.tsx'
import { focusShownCard } from './step-focus.ts'
import { type EditedStep, isEmail, type StepValues } from './step-model.ts'
import styles from './step-panel.module.css'
import { titleOf } from './step-words.ts'
import { StoredStepText } from './stored-step-text.tsx'
import type { Steps } from './use-steps.ts'

const RemoveStepDialog = lazyPart(() => import('./remove-step-dialog.tsx'), 'RemoveStepDialog')

type PanelProps = {
  cadence: Cadence
  steps: Steps
  step: EditedStep
  position: number
  values: readonly TemplateValue[] | undefined
  canEdit: boolean
  /** The people who wait in the step; undefined while it is not known. */
  waitingCount: number | undefined
  addBelow: (() => void) | undefined
  close: () => void
}

/** Edits one step, with its email as a person gets it. */
export function StepPanel(props: PanelProps) {
  const { cadence, steps, step, position, values, canEdit, waitingCount, addBelow, close } = props
  const me = useMe()
  const panel = useRef<HTMLElement>(null)
  const [isRemoving, setRemoving] = useState(false)
  const { key } = step
  const { edits } = steps
  const isHeld = steps.needsAnswer(step) && !edits.confirmed.includes(key)
  const conflicts = edits.conflicts.filter((one) => one.key === key)
  const preview = usePreview(cadence.id, step.values, { values, isShown: canEdit && isEmail(step.values) })
  const test = useTestEmail({ cadence, step, position, person: preview.person, save: steps.save })
  const isLast = position === edits.steps.length

  useEffect(() => {
    // A new step is written at once.
    if (step.id === null && canEdit) panel.current!.querySelector<HTMLElement>('textarea')?.focus()
  }, [])

  const remove = () => {
    const isUsed = step.id !== null && (waitingCount !== 0 || cadence.live_count > 0 || cadence.status !== 'draft')
    if (isUsed) setRemoving(true)
    else removeNow()
  }
  const removeNow = () => {
    setRemoving(false)
    close()
    steps.editNow((before) => removeStep(before, key))
    const again = () => steps.editNow((before) => insertStep(before, position - 1, crypto.randomUUID(), step.values))
    showToast(texts.wasRemoved(titleOf(step.values)), {
      action: cadence.status === 'draft' ? { label: texts.undo, run: again } : undefined,
    })
  }
  const mayTest = canEdit && step.values.type === 'email_auto' && may(me, sendTestEmail)
  useCommands([
    {
      id: 'step:preview',
      label: texts.preview,
      group: cadenceTexts.group,
      keys: ['v'],
      isAvailable: canEdit && isEmail(step.values),
      run: () => panel.current!.querySelector<HTMLElement>('[data-preview]')?.focus(),
    },
    { id: 'step:test', label: texts.testToMe, group: cadenceTexts.group, isAvailable: mayTest, run: test.send },
    { id: 'step:remove', label: texts.remove, group: cadenceTexts.group, isAvailable: canEdit, run: remove },
  ])
  const leaveField = (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLElement && event.target.matches('input, select, textarea')
    if (event.key !== 'Escape' || !isField || event.defaultPrevented) return
    event.stopPropagation()
    focusShownCard(key)
  }
  const change = (changes: Partial<StepValues>) => steps.edit((before) => changeStep(before, key, changes))
  return (
    <section ref={panel} className={styles.panel} aria-label={texts.step(position)} onKeyDown={leaveField}>
      <header className={styles.top}>
        <h2>{texts.step(position)}</h2>
        {mayTest && (
          <Button variant="quiet" size="small" icon={<Send size={14} />} disabled={test.isPending} onClick={test.send}>
            {texts.testToMe}
          </Button>
        )}
        {canEdit && (
          <MenuButton
            label={texts.more}
            icon={<span aria-hidden="true">···</span>}
            variant="quiet"
            size="small"
            items={[
              {
                label: texts.moveUp,
                keys: 'Alt+ArrowUp',
                isDisabled: position === 1,
                run: () => steps.edit((before) => moveStep(before, key, -1)),
              },
              {
                label: texts.moveDown,
                keys: 'Alt+ArrowDown',
                isDisabled: isLast,
                run: () => steps.edit((before) => moveStep(before, key, 1)),
              },
              ...(addBelow ? [{ label: texts.addBelow, keys: 'a', run: addBelow }] : []),
              { kind: 'line' },
              { label: texts.remove, run: remove },
            ]}
          />
        )}
        <IconButton label={texts.close} icon={<X size={16} />} size="small" onClick={close} />
      </header>
      <div className={styles.body}>
        {isHeld && (
          <HeldChanges
            text={
              waitingCount === undefined
                ? texts.mightChange
                : texts.wouldChange(waitingCount, formatNumber(waitingCount, me.locale), position)
            }
            undo={() => steps.editNow((before) => undoStep(before, key))}
            save={() => steps.editNow((before) => confirmChanges(before, key))}
          />
        )}
        {edits.rejected[key] !== undefined && <FormProblem>{edits.rejected[key]}</FormProblem>}
        <ConflictBar
          changes={{
            conflicts: conflicts.map(({ field, theirs }) => ({ field, mine: step.values[field], theirs })),
            takeTheirs: () => steps.editNow((before) => takeTheirs(before, key)),
            saveMine: () => steps.editNow((before) => saveMine(before, key)),
          }}
          labelOf={(field) => texts.fields[field as keyof typeof texts.fields]}
          format={(_, value) => formatValue(value)}
        />
        {canEdit ? (
          <StepFields
            step={step}
            position={position}
            hasEmailBefore={edits.steps.slice(0, position - 1).some((one) => isEmail(one.values))}
            values={values}
            missing={preview.missing}
            change={change}
          />
        ) : (
          <StoredStepText step={step} position={position} />
        )}
        {canEdit && isEmail(step.values) && <StepPreview preview={preview} values={values} />}
      </div>
      {isRemoving && (
        <RemoveStepDialog
          {...{ position, waitingCount }}
          next={edits.steps[position]?.values}
          remove={removeNow}
          close={() => setRemoving(false)}
        />
      )}
    </section>
  )
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  return value === null || value === '' ? '–' : String(value)
}
