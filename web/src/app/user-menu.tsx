import { EllipsisVertical, Keyboard, LogOut } from 'lucide-react'
import { signOut } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { changePreferences, type Preferences, preferences } from '../session/preferences.ts'
import { showShortcuts } from '../session/shortcuts.ts'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { MenuButton } from '../ui/menu.tsx'
import type { MenuItem } from '../ui/menu-model.ts'

/** Choices of the user and the end of the session. */
function useUserMenuItems(): MenuItem[] {
  const { theme, density, hasShortcuts } = useStore(preferences)
  const choices = <K extends 'theme' | 'density'>(
    key: K,
    labels: Record<Preferences[K], string>,
    chosen: Preferences[K],
  ) =>
    (Object.keys(labels) as Preferences[K][]).map((value) => ({
      kind: 'choice' as const,
      label: labels[value],
      isChosen: value === chosen,
      run: () => changePreferences({ [key]: value }),
    }))
  return [
    { kind: 'title', label: shellTexts.theme },
    ...choices('theme', shellTexts.themes, theme),
    { kind: 'title', label: shellTexts.density },
    ...choices('density', shellTexts.densities, density),
    { kind: 'line' },
    {
      kind: 'choice',
      label: shellTexts.shortcutsOn,
      isChosen: hasShortcuts,
      run: () => changePreferences({ hasShortcuts: !hasShortcuts }),
    },
    { label: shellTexts.showShortcuts, icon: <Keyboard size={15} />, keys: '?', run: showShortcuts },
    { kind: 'line' },
    { label: shellTexts.signOut, icon: <LogOut size={15} />, run: () => void signOut() },
  ]
}

export const UserMenu = () => (
  <MenuButton
    label={shellTexts.userMenu}
    icon={<EllipsisVertical size={16} />}
    variant="quiet"
    size="small"
    items={useUserMenuItems()}
  />
)
