import type { TextsOf } from './texts.ts'

const rows = (count: number, text: string) => `${text} ${count === 1 ? 'Zeile' : 'Zeilen'}`

export const importRunTexts: TextsOf<'importRunTexts'> = {
  running: 'Der Import läuft',
  undoing: 'Der Import wird rückgängig gemacht',
  rowsDone: (done, total) => `${done} von ${total} Zeilen`,
  counts: (created, updated, failed) => `${created} neu, ${updated} geändert, ${failed} gescheitert`,
  undoCounts: (undone, kept) => `${undone} rückgängig gemacht, ${kept} behalten`,
  stop: 'Anhalten',
  leave: 'Sie können diese Seite verlassen. Das Ende zeigt die Leiste der Vorgänge.',
  show: { leads: 'Leads zeigen', contacts: 'Kontakte zeigen' },
  undo: (count) => `${count} rückgängig machen`,
  backToColumns: 'Zurück zu den Spalten',
  importCorrected: 'Berichtigte Zeilen importieren',
  done: {
    leads: (count, text) => `${text} ${count === 1 ? 'Lead ist' : 'Leads sind'} eingespielt`,
    contacts: (count, text) => `${text} ${count === 1 ? 'Kontakt ist' : 'Kontakte sind'} eingespielt`,
  },
  ended: (created, updated, failed, failedText) =>
    `${created} neu, ${updated} geändert. ${failed === 0 ? 'Keine Zeile ist gescheitert.' : `${rows(failed, failedText)} gescheitert.`}`,
  stoppedAfter: (count, text) => `Nach ${text} ${count === 1 ? 'Zeile' : 'Zeilen'} angehalten`,
  stoppedText: (left) => `Was importiert wurde, bleibt. ${left} Zeilen wurden nicht gelesen.`,
  stoppedEarly: 'Es wurde nichts importiert. Datei und Spalten bleiben erhalten.',
  undone: (undone, kept, keptText) =>
    kept === 0
      ? `${undone} Zeilen sind rückgängig gemacht`
      : `${undone} Zeilen sind rückgängig gemacht, ${keptText} behalten`,
  undoneText: 'Neue Datensätze sind im Papierkorb, geänderte haben ihre alten Werte.',
  keptText: 'Datensätze bleiben, wenn nach dem Import mit ihnen gearbeitet wurde. Die anderen haben ihre alten Werte.',
  keptRows: 'Behaltene Datensätze',
  failedTitle: (code) =>
    code === 'too_many_failures'
      ? 'Angehalten: Mehr als die Hälfte der Zeilen ist gescheitert'
      : 'Der Import ist gescheitert',
  failedRows: (failed, done) =>
    `${failed} der ersten ${done} Zeilen sind gescheitert. Datei und Spalten bleiben erhalten.`,
  failedText: 'Datei und Spalten bleiben erhalten.',
  undoFirst: (count) => `${count} rückgängig machen und Spalten berichtigen`,
  undoTitle: (count, text) => `Den Import von ${rows(count, text)} rückgängig machen?`,
  undoText: {
    leads: (created, createdText, updated, updatedText) =>
      `${createdText} ${created === 1 ? 'neuer Lead wird' : 'neue Leads werden'} gelöscht, ${updatedText} ${updated === 1 ? 'geänderter erhält seine' : 'geänderte erhalten ihre'} alten Werte.`,
    contacts: (created, createdText, updated, updatedText) =>
      `${createdText} ${created === 1 ? 'neuer Kontakt wird' : 'neue Kontakte werden'} gelöscht, ${updatedText} ${updated === 1 ? 'geänderter erhält seine' : 'geänderte erhalten ihre'} alten Werte.`,
  },
  undoKeeps: 'Datensätze bleiben, wenn sie seitdem geändert wurden oder mit ihnen gearbeitet wurde.',
  cancel: 'Abbrechen',
}
