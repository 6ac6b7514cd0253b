import { useNavigate } from '@tanstack/react-router'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { type Command, useCommands } from './commands.ts'
import { can, useMe } from './me.ts'
import { showShortcuts } from './shortcuts.ts'

/** The commands of every page. */
export function useShellCommands({ openMenu }: { openMenu: () => void }): void {
  const navigate = useNavigate()
  const me = useMe()
  const goTo = (key: string, to: string, label: string, isAvailable = true): Command => ({
    id: `go:${to}`,
    label: `Go to ${label}`,
    group: 'Navigation',
    keys: [`g ${key}`],
    isAvailable,
    run: () => void navigate({ to }),
  })
  useCommands([
    { id: 'menu', label: shellTexts.search, group: 'Navigation', keys: ['Mod+k'], isListed: false, run: openMenu },
    { id: 'shortcuts', label: shellTexts.showShortcuts, group: 'Navigation', keys: ['?'], run: showShortcuts },
    goTo('h', '/', shellTexts.home),
    goTo('l', '/leads', shellTexts.leads, can(me, 'leads.read')),
    goTo('d', '/deals', shellTexts.deals, can(me, 'opportunities.read')),
    goTo('p', '/people', shellTexts.people, can(me, 'users.read')),
    { ...goTo('s', '/settings', shellTexts.settings), keys: [] },
  ])
}
