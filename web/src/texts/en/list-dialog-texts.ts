import { translate } from '../language.ts'

/** Texts of the dialogs of lists, which the first rows do not need. */
export const listDialogTexts = translate('listDialogTexts', {
  saveViewTitle: 'Save this view',
  viewName: 'Name of the view',
  viewHint: 'Filters, order and columns are saved for you, in every browser.',
  tooManyViews: (count: number) => `You have ${count} views. Delete one of them first.`,
  viewSaved: (name: string) => `The view ${name} was saved.`,
  anyValue: 'Any',
  between: 'Between…',
  from: 'From',
  to: 'To',
  apply: 'Apply',
  cancel: 'Cancel',
  lowest: 'Lowest value',
  highest: 'Highest value',
  filterTitle: (filter: string) => `Filter by ${filter}`,
})
