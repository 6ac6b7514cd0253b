import { showToast } from '../../ui/toast.tsx'
import { showRepeatableProblem } from '../show-problem.ts'

type Deletion = {
  remove: () => Promise<unknown>
  restore: () => Promise<unknown>
  texts: { deleted: string; undo: string }
  refresh: () => Promise<unknown>
}

/** Deletes a record at once, because it can be restored. Returns whether it was deleted. */
export async function deleteRecord(deletion: Deletion): Promise<boolean> {
  const { remove, restore, texts, refresh } = deletion
  try {
    await remove()
  } catch (error) {
    showRepeatableProblem(error, () => void deleteRecord(deletion))
    return false
  }
  const restoreAgain = (): Promise<unknown> =>
    restore().catch((error) => showRepeatableProblem(error, () => void restoreAgain()))
  showToast(texts.deleted, { action: { label: texts.undo, run: () => void restoreAgain() } })
  await refresh()
  return true
}
