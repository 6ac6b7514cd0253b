import type { TextsOf } from './texts.ts'

export const listBulkTexts: TextsOf<'listBulkTexts'> = {
  undo: 'Rückgängig machen',
  clear: 'Auswahl aufheben',
  selectMatching: 'Alle passenden auswählen',
  working: 'Wird bearbeitet …',
  close: 'Schließen',
  changedTitle: 'Die Auswahl hat sich geändert',
  continue: (count) => `Mit ${count} fortfahren`,
  cancel: 'Abbrechen',
  confirmLarge: 'Dies läuft im Hintergrund. Sie können es 24 Stunden lang rückgängig machen.',
  confirmLargeFinal: 'Das läuft im Hintergrund. Es kann nicht rückgängig gemacht werden.',
  nothingChanged: 'Es war nichts zu ändern.',
  typeNumber: (text) => `Geben Sie zur Bestätigung ${text} ein`,
}
