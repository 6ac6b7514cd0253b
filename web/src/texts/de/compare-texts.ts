import type { TextsOf } from './texts.ts'

export const compareTexts: TextsOf<'compareTexts'> = {
  empty: 'Leer',
}
