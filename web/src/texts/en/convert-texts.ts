import { translate } from '../language.ts'

export const convertTexts = translate('convertTexts', {
  title: (name: string) => `Convert ${name}`,
  convert: 'Convert',
  cancel: 'Cancel',
  done: 'Done',
  account: 'Account',
  contact: 'Contact',
  deal: 'Deal',
  create: (name: string) => `Create ${name}`,
  use: (name: string) => `Use ${name}`,
  createDeal: 'Create a deal',
  name: 'Name of the deal',
  amount: (currency: string) => `Amount in ${currency}`,
  closeOn: 'Expected close date',
  pipeline: 'Pipeline',
  converted: 'The lead was converted',
  isNew: 'created',
  existed: 'already existed',
})
