import { useNavigate } from '@tanstack/react-router'
import { useStore } from '../api/store.ts'
import { type Command, useCommands } from '../session/commands.ts'
import { searchOfList } from '../session/list-places.ts'
import { can, useMe } from '../session/me.ts'
import { showShortcuts } from '../session/shortcuts.ts'
import { commandTexts } from '../texts/en/command-texts.ts'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { findUndoable, runToastAction, toasts } from '../ui/toasts.ts'

export function useShellCommands({ openMenu }: { openMenu: () => void }): void {
  const navigate = useNavigate()
  const me = useMe()
  const undoable = findUndoable(useStore(toasts))
  const goTo = (key: string, to: string, label: string, isAvailable = true): Command => ({
    id: `go:${to}`,
    label: commandTexts.goTo(label),
    group: commandTexts.navigation,
    keys: [`g ${key}`],
    isAvailable,
    path: to,
    run: () => void navigate({ to, search: searchOfList(to, location.pathname) }),
  })
  useCommands([
    {
      id: 'menu',
      label: shellTexts.search,
      group: commandTexts.navigation,
      keys: ['Mod+k'],
      isListed: false,
      run: openMenu,
    },
    {
      id: 'shortcuts',
      label: shellTexts.showShortcuts,
      group: commandTexts.navigation,
      keys: ['?'],
      run: showShortcuts,
    },
    {
      id: 'undo',
      label: commandTexts.undo(undoable?.text ?? ''),
      group: commandTexts.actions,
      keys: ['Mod+z'],
      isAvailable: undoable !== undefined,
      run: () => undoable && runToastAction(undoable, undoable.actions[0]!),
    },
    goTo('h', '/', shellTexts.home),
    goTo('i', '/inbox', shellTexts.inbox),
    goTo('l', '/leads', shellTexts.leads, can(me, 'leads.read')),
    goTo('d', '/deals', shellTexts.deals, can(me, 'opportunities.read')),
    goTo('p', '/people', shellTexts.people, can(me, 'users.read')),
    { ...goTo('t', '/trash', shellTexts.trash, can(me, 'leads.delete')), keys: [] },
    { ...goTo('s', '/settings', shellTexts.settings), keys: [] },
  ])
}
