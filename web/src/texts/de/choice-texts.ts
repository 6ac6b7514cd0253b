import type { TextsOf } from './texts.ts'

export const choiceTexts: TextsOf<'choiceTexts'> = {
  search: 'Suchen',
  none: 'Nichts hat diesen Namen.',
}
