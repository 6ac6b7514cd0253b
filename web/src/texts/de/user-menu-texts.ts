import type { TextsOf } from './texts.ts'

export const userMenuTexts: TextsOf<'userMenuTexts'> = {
  theme: 'Farben',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  density: 'Zeilen',
  densities: { compact: 'Kompakt', normal: 'Mittel', comfortable: 'Weit' },
  shortcutsOn: 'Tastenkürzel',
  signOut: 'Abmelden',
}
