export const formTexts = {
  cancel: 'Cancel',
  save: 'Save',
  unchanged: 'There is nothing to save.',
}
