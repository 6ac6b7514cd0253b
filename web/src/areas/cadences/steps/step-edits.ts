import type { Schemas } from '../../../api/client.ts'
import { isEqual } from '../../../api/merge-fields.ts'
import { isMoved, mergeSteps, type StepConflict } from './merge-steps.ts'
import { type EditedStep, hasTexts, hasValues, type StepValues, type StoredStep, toStoredStep } from './step-model.ts'

type Cadence = Pick<Schemas['Cadence'], 'version' | 'steps'>

/** A step of a request: that of the user, or the stored one while the step of the user cannot be sent. */
export type SentStep = EditedStep

/** The steps of one cadence as the user wants them, until the API has them. */
export type StepEdits = {
  /** The list that the API had last, from which the user started. */
  stored: { version: number; steps: readonly StoredStep[] }
  steps: readonly EditedStep[]
  conflicts: readonly StepConflict[]
  /** Keys of steps whose changes the user confirmed, because people wait in them; `order` for the order of the steps. */
  confirmed: readonly string[]
  /** Messages of the API about values that it does not accept, by the key of the step. */
  rejected: Readonly<Record<string, string>>
  /** Steps that were sent. Without a response, the API may have them or not. */
  sent?: readonly SentStep[]
}

export const orderKey = 'order'

const toStored = ({ version, steps }: Cadence): StepEdits['stored'] => ({ version, steps: steps.map(toStoredStep) })

export function startEdits(cadence: Cadence): StepEdits {
  const stored = toStored(cadence)
  const steps = stored.steps.map(({ id, values }) => ({ key: id, id, values }))
  return { stored, steps, conflicts: [], confirmed: [], rejected: {} }
}

export const storedValuesOf = ({ stored }: StepEdits, { id }: Pick<EditedStep, 'id'>): StepValues | undefined =>
  stored.steps.find((step) => step.id === id)?.values

export function isChanged(edits: StepEdits, step: EditedStep): boolean {
  const before = storedValuesOf(edits, step)
  return !before || !hasValues(step.values, before)
}

/** Whether the API does not have everything that the user wants. */
export const isUnsaved = (edits: StepEdits): boolean =>
  !isEqual(
    edits.steps.map(({ id }) => id),
    edits.stored.steps.map(({ id }) => id),
  ) || edits.steps.some((step) => isChanged(edits, step))

export const isOrderChanged = ({ stored, steps }: StepEdits): boolean => isMoved(stored.steps, steps)

export const changeStep = (edits: StepEdits, key: string, changes: Partial<StepValues>): StepEdits => ({
  ...withoutAnswers(edits, key),
  steps: edits.steps.map((step) => (step.key === key ? { ...step, values: { ...step.values, ...changes } } : step)),
})

/** A changed value is sent again, and asked about again. */
function withoutAnswers(edits: StepEdits, key: string): StepEdits {
  const { [key]: _, ...rejected } = edits.rejected
  return { ...edits, rejected, confirmed: edits.confirmed.filter((one) => one !== key) }
}

export const insertStep = (edits: StepEdits, at: number, key: string, values: StepValues): StepEdits => ({
  ...edits,
  steps: edits.steps.toSpliced(at, 0, { key, id: null, values }),
})

export const removeStep = (edits: StepEdits, key: string): StepEdits => ({
  ...withoutAnswers(edits, key),
  steps: edits.steps.filter((step) => step.key !== key),
  conflicts: edits.conflicts.filter((conflict) => conflict.key !== key),
})

export function moveStep(edits: StepEdits, key: string, by: -1 | 1): StepEdits {
  const at = edits.steps.findIndex((step) => step.key === key)
  const step = edits.steps[at]
  if (!step || at + by < 0 || at + by >= edits.steps.length) return edits
  const steps = edits.steps.toSpliced(at, 1).toSpliced(at + by, 0, step)
  return { ...withoutAnswers(edits, orderKey), steps }
}

/** Gives up the changes of a step. */
export const undoStep = (edits: StepEdits, key: string): StepEdits => ({
  ...withoutAnswers(edits, key),
  steps: edits.steps.map((step) =>
    step.key === key ? { ...step, values: storedValuesOf(edits, step) ?? step.values } : step,
  ),
  conflicts: edits.conflicts.filter((conflict) => conflict.key !== key),
})

/** Gives steps that exist their stored order back. New ones stay where they are. */
export function undoOrder(edits: StepEdits): StepEdits {
  const order = edits.stored.steps.map(({ id }) => id)
  const saved = edits.steps.filter(({ id }) => id !== null)
  const inOrder = saved.toSorted((one, other) => order.indexOf(one.id!) - order.indexOf(other.id!)).values()
  return { ...edits, steps: edits.steps.map((step) => (step.id === null ? step : inOrder.next().value!)) }
}

export const confirmChanges = (edits: StepEdits, key: string): StepEdits => ({
  ...edits,
  confirmed: [...edits.confirmed, key],
})

export const takeTheirs = (edits: StepEdits, key: string): StepEdits => {
  const values = Object.fromEntries(
    edits.conflicts.filter((one) => one.key === key).map((one) => [one.field, one.theirs]),
  )
  return saveMine(changeStep(edits, key, values), key)
}

export const saveMine = (edits: StepEdits, key: string): StepEdits => ({
  ...edits,
  conflicts: edits.conflicts.filter((conflict) => conflict.key !== key),
})

type Held = {
  /** Whether the API would not accept the values. */
  isInvalid?: (step: EditedStep) => boolean
  /** Whether the user must confirm the change first. */
  needsAnswer?: (step: EditedStep) => boolean
}

/** Returns the steps to send, or nothing if the API has everything that can be sent. */
export function toRequest(edits: StepEdits, { isInvalid, needsAnswer }: Held = {}): readonly SentStep[] | undefined {
  const cannotBeSent = (step: EditedStep) =>
    edits.rejected[step.key] !== undefined ||
    edits.conflicts.some(({ key }) => key === step.key) ||
    isInvalid?.(step) ||
    (needsAnswer?.(step) && !edits.confirmed.includes(step.key))
  const steps = edits.steps.flatMap((step): SentStep[] => {
    const before = storedValuesOf(edits, step)
    if (!cannotBeSent(step)) return [{ ...step, id: before?.type === step.values.type ? step.id : null }]
    return before ? [{ ...step, values: before }] : []
  })
  const { stored } = edits
  const isStored = steps.length === stored.steps.length && steps.every((step, at) => isSame(step, stored.steps[at]!))
  return isStored ? undefined : steps
}

const isSame = (step: SentStep, stored: StoredStep): boolean =>
  step.id === stored.id && hasValues(step.values, stored.values)

export const noteSent = (edits: StepEdits, sent: readonly SentStep[]): StepEdits => ({ ...edits, sent })

/** Takes over the response of a request. What the user has typed since stays, and is sent next. */
export function adoptSaved(edits: StepEdits, sent: readonly SentStep[], cadence: Cadence): StepEdits {
  const idOf = new Map(sent.map(({ key }, at) => [key, cadence.steps[at]!.id]))
  const mine = edits.steps.map((step) => ({ ...step, id: idOf.get(step.key) ?? step.id }))
  const base = sent.map(({ key, values }) => ({ id: idOf.get(key)!, values }))
  const isSent = ({ key, values }: EditedStep) => {
    const one = sent.find((other) => other.key === key)
    return one !== undefined && hasValues(one.values, values)
  }
  const answered = edits.steps.filter(isSent).map(({ key }) => key)
  return {
    ...adopt({ ...edits, steps: mine, sent: undefined }, base, cadence),
    confirmed: edits.confirmed.filter((key) => key !== orderKey && !answered.includes(key)),
  }
}

/** Takes over a newer list that was read. If it has what was sent, the lost response would have been the same. */
export function adoptLoaded(edits: StepEdits, cadence: Cadence): StepEdits {
  const { sent, stored } = edits
  if (cadence.version === stored.version) return { ...edits, sent: undefined }
  if (!sent) return adopt(edits, stored.steps, cadence)
  if (hasSteps(cadence, sent)) return adoptSaved(edits, sent, cadence)
  const created = findCreated(stored.steps, sent, cadence)
  const steps = edits.steps.map((step) => ({ ...step, id: step.id ?? created.get(step.key)?.id ?? null }))
  return adopt({ ...edits, steps, sent: undefined }, [...stored.steps, ...created.values()], cadence)
}

/** New steps of a request whose response was lost, so that they are not created twice. Others may have changed their times since. */
function findCreated(before: readonly StoredStep[], sent: readonly SentStep[], cadence: Cadence) {
  const added = cadence.steps.map(toStoredStep).filter(({ id }) => !before.some((step) => step.id === id))
  const created = new Map<string, StoredStep>()
  for (const { key, id, values } of sent) {
    const at = id === null ? added.findIndex((step) => hasTexts(step.values, values)) : -1
    if (at >= 0) created.set(key, { id: added.splice(at, 1)[0]!.id, values })
  }
  return created
}

const hasSteps = ({ steps }: Cadence, sent: readonly SentStep[]): boolean =>
  steps.length === sent.length &&
  sent.every(({ id, values }, at) => {
    const stored = toStoredStep(steps[at]!)
    return (id === null || id === stored.id) && hasValues(values, stored.values)
  })

function adopt(edits: StepEdits, base: readonly StoredStep[], cadence: Cadence): StepEdits {
  const stored = toStored(cadence)
  const { steps, conflicts } = mergeSteps(base, edits.steps, stored.steps)
  const undecided = edits.conflicts.filter(
    ({ key, field }) =>
      steps.some((step) => step.key === key) && !conflicts.some((one) => one.key === key && one.field === field),
  )
  return { ...edits, stored, steps, conflicts: [...undecided, ...conflicts] }
}

export const rejectSteps = (edits: StepEdits, messages: Readonly<Record<string, string>>): StepEdits => ({
  ...edits,
  sent: undefined,
  rejected: { ...edits.rejected, ...messages },
})
