import { translate } from '../language.ts'

export const choiceTexts = translate('choiceTexts', {
  search: 'Search',
  none: 'Nothing has this name.',
})
