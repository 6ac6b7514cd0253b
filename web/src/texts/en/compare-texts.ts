import { translate } from '../language.ts'

export const compareTexts = translate('compareTexts', {
  empty: 'Empty',
})
