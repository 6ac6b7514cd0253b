import type { TextsOf } from './texts.ts'

export const uiTexts: TextsOf<'uiTexts'> = {
  close: 'Schließen',
  dismiss: 'Ausblenden',
  keys: {
    control: 'Strg',
    escape: 'Esc',
    pageDown: 'Bild ↓',
    pageUp: 'Bild ↑',
    home: 'Pos1',
    end: 'Ende',
  },
}
