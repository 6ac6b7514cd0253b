import { translate } from '../language.ts'

/** Areas that notifications link to, but that have no screen yet, by the first part of their path. */
export const laterAreaTexts = translate('laterAreaTexts', {
  title: (area: string) => `${area} has no screen yet`,
  text: 'A later version shows it here.',
  areas: {
    content: 'Content',
    rooms: 'Rooms',
    community: 'Community',
    surveys: 'Surveys',
    usage: 'Product usage',
    coaching: 'Coaching',
    learning: 'Learning',
    pitch: 'Pitch practice',
    experts: 'Experts',
  },
})
