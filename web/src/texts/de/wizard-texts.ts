import type { TextsOf } from './texts.ts'

export const wizardTexts: TextsOf<'wizardTexts'> = {
  group: 'Schritte',
  steps: 'Schritte',
  done: ', erledigt',
}
