import type { TextsOf } from './texts.ts'

export const laterAreaTexts: TextsOf<'laterAreaTexts'> = {
  title: (area) => `${area}: noch ohne Ansicht`,
  text: 'Eine spätere Version zeigt es hier.',
  areas: {
    content: 'Inhalte',
    rooms: 'Räume',
    community: 'Community',
    surveys: 'Umfragen',
    usage: 'Produktnutzung',
    coaching: 'Coaching',
    learning: 'Lernen',
    pitch: 'Pitch-Training',
    experts: 'Fachleute',
  },
}
