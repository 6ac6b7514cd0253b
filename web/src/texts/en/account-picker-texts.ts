import { translate } from '../language.ts'

export const accountPickerTexts = translate('accountPickerTexts', {
  search: 'Search accounts',
  part: 'The accounts',
  none: 'No account matches.',
  other: 'Other account',
})
