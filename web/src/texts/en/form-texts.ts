import { translate } from '../language.ts'

export const formTexts = translate('formTexts', {
  cancel: 'Cancel',
  save: 'Save',
  unchanged: 'There is nothing to save.',
})
