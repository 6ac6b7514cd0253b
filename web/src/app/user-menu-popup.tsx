import { Keyboard, LogOut } from 'lucide-react'
import { signOut } from '../api/session.ts'
import { useStore } from '../api/store.ts'
import { changePreferences, type Preferences, preferences } from '../session/preferences.ts'
import { showShortcuts } from '../session/shortcuts.ts'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { userMenuTexts } from '../texts/en/user-menu-texts.ts'
import { MenuPopup, type MenuPopupProps } from '../ui/menu.tsx'
import type { MenuItem } from '../ui/menu-model.ts'

export const UserMenuPopup = (popup: Omit<MenuPopupProps, 'items'>) => (
  <MenuPopup {...popup} items={useUserMenuItems()} />
)

/** Choices of the user and the end of the session. */
function useUserMenuItems(): MenuItem[] {
  const { theme, density, hasShortcuts, isRail } = useStore(preferences)
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
    { kind: 'title', label: userMenuTexts.theme },
    ...choices('theme', userMenuTexts.themes, theme),
    { kind: 'title', label: userMenuTexts.density },
    ...choices('density', userMenuTexts.densities, density),
    { kind: 'line' },
    {
      kind: 'choice',
      label: userMenuTexts.shortcutsOn,
      isChosen: hasShortcuts,
      run: () => changePreferences({ hasShortcuts: !hasShortcuts }),
    },
    {
      kind: 'choice',
      label: shellTexts.narrow,
      isChosen: isRail,
      run: () => changePreferences({ isRail: !isRail }),
    },
    { label: shellTexts.showShortcuts, icon: <Keyboard size={15} />, keys: '?', run: showShortcuts },
    { kind: 'line' },
    { label: userMenuTexts.signOut, icon: <LogOut size={15} />, run: () => void signOut() },
  ]
}
