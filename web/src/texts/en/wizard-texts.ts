import { translate } from '../language.ts'

export const wizardTexts = translate('wizardTexts', {
  group: 'Steps',
  steps: 'Steps',
  done: ', done',
})
