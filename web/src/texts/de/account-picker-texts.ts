import type { TextsOf } from './texts.ts'

export const accountPickerTexts: TextsOf<'accountPickerTexts'> = {
  search: 'Firmen suchen',
  part: 'Die Firmen',
  none: 'Keine Firma passt.',
  other: 'Andere Firma',
}
