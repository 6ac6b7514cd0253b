import type { PreferencesChange } from '../../session/user-preferences.ts'
import { shellTexts } from '../../texts/en/shell-texts.ts'
import { showToast } from '../../ui/toasts.ts'

export const loadChanges = () => import('./change-user-preferences.ts')

export const reportFailure = (): void => showToast(shellTexts.partNotLoaded, { tone: 'failed' })

/** Loads what saves preferences when the user first changes one. The change is shown when the promise ends. */
export const changeLater = (change: PreferencesChange): Promise<void> =>
  loadChanges().then(({ changeUserPreferences }) => void changeUserPreferences(change), reportFailure)
