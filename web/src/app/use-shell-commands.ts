import { useLocation, useNavigate } from '@tanstack/react-router'
import { useStore } from '../api/store.ts'
import { useCommands } from '../session/commands.ts'
import { searchOfList } from '../session/list-places.ts'
import { useMe } from '../session/me.ts'
import { changePreferences, preferences } from '../session/preferences.ts'
import { showShortcuts } from '../session/shortcuts.ts'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { findUndoable, runToastAction, toasts } from '../ui/toasts.ts'
import { areasOf } from './navigation/areas.ts'
import { changePins } from './navigation/use-navigation.ts'

export function useShellCommands({ openMenu }: { openMenu: () => void }): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const undoable = findUndoable(useStore(toasts))
  useCommands([
    {
      id: 'menu',
      label: shellTexts.search,
      group: shellTexts.navigationGroup,
      keys: ['Mod+k'],
      isListed: false,
      run: openMenu,
    },
    {
      id: 'shortcuts',
      label: shellTexts.showShortcuts,
      group: shellTexts.navigationGroup,
      keys: ['?'],
      run: showShortcuts,
    },
    {
      id: 'undo',
      label: shellTexts.undo(undoable?.text ?? ''),
      group: shellTexts.actionGroup,
      keys: ['Mod+z'],
      isAvailable: undoable !== undefined,
      run: () => undoable && runToastAction(undoable, undoable.actions[0]!),
    },
    {
      id: 'rail',
      label: shellTexts.narrow,
      group: shellTexts.navigationGroup,
      keys: ['['],
      run: () => changePreferences({ isRail: !preferences.get().isRail }),
    },
    {
      id: 'pin',
      label: shellTexts.pinPage,
      group: shellTexts.navigationGroup,
      isAvailable: pathname !== '/',
      run: () => void changePins(({ togglePagePin }) => togglePagePin()),
    },
    ...areasOf(useMe()).map(({ path, label, key }) => ({
      id: `go:${path}`,
      label: shellTexts.goTo(label),
      group: shellTexts.navigationGroup,
      keys: key ? [`g ${key}`] : [],
      path,
      run: () => void navigate({ to: path, search: searchOfList(path, location.pathname) }),
    })),
  ])
}
