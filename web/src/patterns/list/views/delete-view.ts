import { listTexts } from '../../../texts/en/list-texts.ts'
import { showToast } from '../../../ui/toasts.ts'
import { changeUserPreferences, savePreferences } from '../../preferences/change-user-preferences.ts'
import { showRepeatableProblem } from '../../show-problem.ts'
import { changeList, type StoredView, withoutView, withView } from './own-views.ts'

export async function deleteView(list: string, view: StoredView): Promise<void> {
  try {
    await savePreferences(changeList(list, withoutView(view.name)))
    const undo = () => void changeUserPreferences(changeList(list, withView(view)))
    showToast(listTexts.viewDeleted(view.name), { action: { label: listTexts.undo, run: undo } })
  } catch (error) {
    showRepeatableProblem(error, () => void deleteView(list, view))
  }
}
