import type { TextsOf } from './texts.ts'

const leads = (count: number, text: string) => `${text} ${count === 1 ? 'Lead' : 'Leads'}`
const was = (count: number) => (count === 1 ? 'wurde' : 'wurden')

export const bulkTexts: TextsOf<'bulkTexts'> = {
  label: 'Ausgewählte Leads',
  selected: (count, text) => `${leads(count, text)} ausgewählt`,
  assign: 'Zuweisen',
  assignTitle: (count, text) => `${leads(count, text)} zuweisen an`,
  status: 'Status',
  setStatus: 'Status der ausgewählten Leads setzen',
  remove: 'Löschen',
  done: {
    assign: (count, text) => `${leads(count, text)} ${was(count)} zugewiesen.`,
    set_status: (count, text) => `Der Status von ${leads(count, text)} wurde gesetzt.`,
    delete: (count, text) => `${leads(count, text)} ${was(count)} gelöscht.`,
    restore: (count, text) => `${leads(count, text)} ${was(count)} wiederhergestellt.`,
  },
  failedTitle: (failed, total) => `${failed} von ${total} Leads wurden nicht geändert`,
  selectFailed: 'Diese Leads auswählen',
  changedText: (before, now) =>
    `Als Sie auswählten, passten ${before} Leads zu den Filtern, jetzt sind es ${now} Leads.`,
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
  confirmSmall: 'Alle diese Leads werden auf einmal geändert.',
  restoring: (count, text) => `${leads(count, text)} ${count === 1 ? 'wird' : 'werden'} wiederhergestellt`,
  restored: (restored, restoredText, skipped, skippedText) => {
    const done = `${leads(restored, restoredText)} ${restored === 1 ? 'wurde' : 'wurden'} wiederhergestellt.`
    if (skipped === 0) return done
    return skipped === 1
      ? `${done} 1 Lead wurde ausgelassen, weil er nicht wiederhergestellt werden konnte oder seitdem geändert wurde.`
      : `${done} ${leads(skipped, skippedText)} wurden ausgelassen, weil sie nicht wiederhergestellt werden konnten oder seitdem geändert wurden.`
  },
}
