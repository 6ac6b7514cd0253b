import { translate } from '../language.ts'

export const userMenuTexts = translate('userMenuTexts', {
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  density: 'Rows',
  densities: { compact: 'Compact', normal: 'Normal', comfortable: 'Comfortable' },
  shortcutsOn: 'Keyboard shortcuts',
  signOut: 'Sign out',
})
