import { isEqual } from '../../../api/merge-fields.ts'
import { type EditedStep, hasValues, type StepValues, type StoredStep, valueFields } from './step-model.ts'

/** A value that the user and another one changed to different values. */
export type StepConflict = { key: string; field: keyof StepValues; theirs: unknown }

type MergedSteps = { steps: EditedStep[]; conflicts: StepConflict[] }

/**
 * Brings the steps of the user together with a newer list of the API. `base` is the list from which the user started. Nothing that
 * the user typed disappears: a changed step that another user has removed becomes a new one.
 */
export function mergeSteps(
  base: readonly StoredStep[],
  mine: readonly EditedStep[],
  theirs: readonly StoredStep[],
): MergedSteps {
  const [before, now] = [toMap(base), toMap(theirs)]
  const conflicts: StepConflict[] = []
  const kept = mine.flatMap((step): EditedStep[] => {
    if (step.id === null) return [step]
    const stored = now.get(step.id)
    const start = before.get(step.id) ?? stored
    if (!stored) return start && hasValues(step.values, start) ? [] : [{ ...step, id: null }]
    return [{ ...step, values: mergeValues(step, start!, stored, conflicts) }]
  })
  const known = new Set(mine.map(({ id }) => id))
  const added = theirs
    .filter(({ id }) => !before.has(id) && !known.has(id))
    .map(({ id, values }): EditedStep => ({ key: id, id, values }))
  return { steps: arrange(base, kept, added, theirs), conflicts }
}

const toMap = (steps: readonly StoredStep[]) => new Map(steps.map(({ id, values }) => [id, values]))

function mergeValues({ key, values }: EditedStep, base: StepValues, theirs: StepValues, conflicts: StepConflict[]) {
  const merged: Record<string, unknown> = { ...values }
  for (const field of valueFields) {
    if (isEqual(theirs[field], base[field]) || isEqual(theirs[field], values[field])) continue
    if (isEqual(values[field], base[field])) merged[field] = theirs[field]
    else conflicts.push({ key, field, theirs: theirs[field] })
  }
  return merged as StepValues
}

/** The order of the user counts if the user has changed it, otherwise that of the API. */
function arrange(
  base: readonly StoredStep[],
  kept: readonly EditedStep[],
  added: readonly EditedStep[],
  theirs: readonly StoredStep[],
): EditedStep[] {
  const theirOrder = theirs.map(({ id }) => id)
  if (isMoved(base, kept)) return insertBehind(kept, added, theirOrder)
  const saved = [...kept, ...added].filter(({ id }) => id !== null)
  const inTheirOrder = saved.toSorted((one, other) => theirOrder.indexOf(one.id!) - theirOrder.indexOf(other.id!))
  const unsaved = kept.filter(({ id }) => id === null)
  return insertBehind(
    inTheirOrder,
    unsaved,
    kept.map(({ key }) => key),
  )
}

/** Whether steps that exist in both lists have another order. */
export function isMoved(stored: readonly StoredStep[], steps: readonly EditedStep[]): boolean {
  const order = stored.map(({ id }) => id)
  const places = steps.map(({ id }) => order.indexOf(id ?? '')).filter((place) => place >= 0)
  return places.some((place, at) => at > 0 && place < places[at - 1]!)
}

/** Inserts each step behind the one that is before it in `order`, which has keys or ids. */
function insertBehind(
  steps: readonly EditedStep[],
  inserted: readonly EditedStep[],
  order: readonly string[],
): EditedStep[] {
  const result = [...steps]
  const placeOf = ({ key, id }: EditedStep) => Math.max(order.indexOf(key), order.indexOf(id ?? ''))
  for (const step of inserted.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    const at = result.findLastIndex((other) => placeOf(other) >= 0 && placeOf(other) < placeOf(step))
    result.splice(at + 1, 0, step)
  }
  return result
}
