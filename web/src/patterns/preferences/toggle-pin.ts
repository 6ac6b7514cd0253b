import { queryClient } from '../../api/queries.ts'
import { navigationTexts as texts } from '../../texts/en/navigation-texts.ts'
import { showToast } from '../../ui/toasts.ts'
import { changeUserPreferences } from './change-user-preferences.ts'
import { addPin, isPinned, maxPins, movePin, pathToPin, removePin } from './pins.ts'
import { preferencesQuery } from './preferences-query.ts'

/** Pins the page that is shown, with its filters, or unpins it. */
export async function togglePagePin(name?: string): Promise<void> {
  const path = pathToPin(location.pathname, location.search)
  const label = name ?? document.title.split(' – ')[0]!
  const { pinned } = await queryClient.fetchQuery(preferencesQuery)
  if (isPinned(pinned, path)) {
    void changeUserPreferences((current) => ({ pinned: removePin(current.pinned, path) }))
    showToast(texts.unpinned(label))
  } else if (pinned.length >= maxPins) {
    showToast(texts.tooManyPins(maxPins), { tone: 'failed' })
  } else {
    void changeUserPreferences((current) => ({ pinned: addPin(current.pinned, { path, label }) }))
    showToast(texts.pinned(label))
  }
}

/** Shows the pin at its next place at once. */
export const moveShownPin = (path: string, by: -1 | 1): void =>
  void changeUserPreferences(({ pinned }) => ({ pinned: movePin(pinned, path, by) }))
