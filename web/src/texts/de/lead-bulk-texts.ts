import type { TextsOf } from './texts.ts'

const leads = (count: number, text: string) => `${text} ${count === 1 ? 'Lead' : 'Leads'}`
const was = (count: number) => (count === 1 ? 'wurde' : 'wurden')

export const bulkTexts: TextsOf<'bulkTexts'> = {
  label: 'Ausgewählte Leads',
  selected: (count, text) => `${leads(count, text)} ausgewählt`,
  selectMatching: 'Alle passenden auswählen',
  selectTotal: (total) => `Alle ${total} auswählen`,
  clear: 'Auswahl aufheben',
  assign: 'Zuweisen',
  assignTitle: (count, text) => `${leads(count, text)} zuweisen an`,
  status: 'Status',
  setStatus: 'Status der ausgewählten Leads setzen',
  remove: 'Löschen',
  working: 'Wird bearbeitet …',
  done: {
    assign: (count, text) => `${leads(count, text)} ${was(count)} zugewiesen.`,
    set_status: (count, text) => `Der Status von ${leads(count, text)} wurde gesetzt.`,
    delete: (count, text) => `${leads(count, text)} ${was(count)} gelöscht.`,
    restore: (count, text) => `${leads(count, text)} ${was(count)} wiederhergestellt.`,
  },
  undo: 'Rückgängig machen',
  failedTitle: (failed, total) => `${failed} von ${total} Leads wurden nicht geändert`,
  selectFailed: 'Diese Leads auswählen',
  close: 'Schließen',
  changedTitle: 'Die Auswahl hat sich geändert',
  changedText: (before, now) =>
    `Als Sie auswählten, passten ${before} Leads zu den Filtern, jetzt sind es ${now} Leads.`,
  continue: (count) => `Mit ${count} fortfahren`,
  cancel: 'Abbrechen',
  tasks: {
    assign: (total) => `${total} Leads werden zugewiesen`,
    set_status: (total) => `Der Status von ${total} Leads wird gesetzt`,
    delete: (total) => `${total} Leads werden gelöscht`,
    restore: (total) => `${total} Leads werden wiederhergestellt`,
  },
  taskEnded: {
    failed: 'Die Änderung der Leads ist fehlgeschlagen.',
    cancelled: 'Die Änderung der Leads wurde abgebrochen.',
  },
  taskFailures: (count, text) => `${leads(count, text)} ${was(count)} nicht geändert.`,
  confirm: {
    assign: (count, text, owner) => `${leads(count, text)} an ${owner} zuweisen`,
    set_status: (count, text, status) => `Status von ${leads(count, text)} auf ${status} setzen`,
    delete: (count, text) => `${leads(count, text)} löschen`,
    restore: (count, text) => `${leads(count, text)} wiederherstellen`,
  },
  confirmLarge: 'Dies läuft im Hintergrund. Sie können es 24 Stunden lang rückgängig machen.',
  confirmSmall: 'Alle diese Leads werden auf einmal geändert.',
  typeNumber: (text) => `Geben Sie zur Bestätigung ${text} ein`,
}
