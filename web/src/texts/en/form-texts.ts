export const formTexts = {
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved',
  unchanged: 'There is nothing to save',
  merged: 'Saved, together with a change by another user',
  conflict: 'Another user changed the same values while you were editing.',
  newValue: (value: string) => `Now “${value}”`,
  emptied: 'Now empty',
  takeTheirs: 'Use the new values',
  saveMine: 'Save mine',
}
