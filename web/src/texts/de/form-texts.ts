import type { TextsOf } from './texts.ts'

export const formTexts: TextsOf<'formTexts'> = {
  cancel: 'Abbrechen',
  save: 'Speichern',
  unchanged: 'Es gibt nichts zu speichern.',
}
