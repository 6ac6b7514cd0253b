import type { TextsOf } from './texts.ts'

const rows = (count: number, text: string) => `${text} ${count === 1 ? 'Zeile' : 'Zeilen'}`

const notes: Readonly<Record<string, string>> = {
  'updated update_empty': 'nur leere Felder ergänzt',
  'updated update': 'Werte ersetzt',
  'skipped skip': 'vorhandene Datensätze bleiben, wie sie sind',
  failed: 'nicht importiert',
  warnings: 'nicht alles wie in der Datei',
}

const reasons: Readonly<Record<string, (field: string) => string>> = {
  email: (field) => `${field} ist keine E-Mail-Adresse`,
  date: (field) => `${field} ist kein Datum`,
  number: (field) => `${field} ist keine Zahl`,
  boolean: (field) => `${field} ist weder Ja noch Nein`,
  maxLength: (field) => `${field} ist zu lang`,
  ambiguous_match: () => 'Passt zu mehreren Datensätzen',
  column_count: () => 'Hat mehr Zellen als die Kopfzeile',
  invalid_character: () => 'Hat Zeichen, die nicht gespeichert werden können',
  erased: () => 'Die Daten der Person wurden gelöscht',
  suppressed: () => 'Bleibt abgemeldet',
  basis_required: () => 'Wird ohne Einwilligung nicht angemeldet',
  converted: () => 'Der Lead wurde in einen Kontakt umgewandelt',
  enum: (field) => `${field} ist keine der Möglichkeiten`,
  unknown_value: (field) => `${field} ist unbekannt und wurde weggelassen`,
}

export const importCheckTexts: TextsOf<'importCheckTexts'> = {
  checking: (count, text) => `${rows(count, text)} ${count === 1 ? 'wird' : 'werden'} geprüft`,
  checkingNote: 'Sie können diese Seite verlassen. Die Liste der Importe führt hierher zurück.',
  willHappen: (count, text) =>
    count === 1 ? 'Was geschieht mit der Zeile?' : `Was geschieht mit den ${rows(count, text)}?`,
  hasHappened: (count, text) =>
    count === 1 ? 'Was ist mit der Zeile geschehen?' : `Was ist mit den ${rows(count, text)} geschehen?`,
  checkedAt: (time) => `geprüft um ${time}`,
  chooseOutcome: 'wählen Sie ein Ergebnis, um seine Zeilen zu sehen',
  outcomes: {
    leads: {
      created: 'Neue Leads',
      updated: 'Geändert',
      skipped: 'Ausgelassen',
      failed: 'Gescheitert',
      warnings: 'Mit Hinweis',
    },
    contacts: {
      created: 'Neue Kontakte',
      updated: 'Geändert',
      skipped: 'Ausgelassen',
      failed: 'Gescheitert',
      warnings: 'Mit Hinweis',
    },
  },
  note: (outcome, onMatch) => notes[`${outcome} ${onMatch}`] ?? notes[outcome] ?? '',
  why: {
    failed: 'Warum scheitern Zeilen?',
    skipped: 'Warum werden Zeilen ausgelassen?',
    warnings: 'Welche Hinweise gibt es?',
    kept: 'Warum bleiben Datensätze?',
  },
  allReasons: 'Alle',
  noReason: 'Den Datensatz gibt es schon',
  reason: (code, field) => reasons[code]?.(field),
  ofFirst: (count) => `Von den ersten ${count} Zeilen.`,
  fixInFile: 'Berichtigen Sie die Zeilen in errors.csv und importieren Sie danach jene Datei.',
  rows: 'Zeilen',
  row: 'Zeile',
  rowCount: (count, text) => rows(count, text),
  what: 'Was nicht stimmt',
  blank: 'leer',
  noRows: 'Keine Zeile hat dieses Ergebnis.',
  moreRows: (count, text) => (count === 1 ? '1 weitere Zeile' : `${text} weitere Zeilen`),
  loadMore: 'Weitere Zeilen laden',
  openRecord: (row) => `Datensatz der Zeile ${row} öffnen`,
  kept: {
    deleted: 'Er war schon gelöscht.',
    edited: 'Er wurde nach dem Import geändert.',
    not_allowed: 'Sie dürfen ihn nicht löschen.',
    activity: 'Es wurde mit ihm gearbeitet.',
    email: 'Der Person wurde eine E-Mail geschickt.',
    deal: 'Er hat einen Deal.',
    rejected: 'Seine früheren Werte sind nicht mehr gültig.',
  },
}
