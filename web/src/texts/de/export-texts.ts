import type { TextsOf } from './texts.ts'

export const exportTexts: TextsOf<'exportTexts'> = {
  menu: 'Dateien',
  importRecords: { leads: 'Leads importieren', contacts: 'Kontakte importieren', accounts: 'Firmen importieren' },
  title: { leads: 'Leads exportieren', contacts: 'Kontakte exportieren', accounts: 'Firmen exportieren' },
  counting: 'Die Datensätze werden gezählt …',
  text: {
    leads: (count, text) => `${text} ${count === 1 ? 'Lead' : 'Leads'}, wie die Liste gefiltert ist.`,
    contacts: (count, text) => `${text} ${count === 1 ? 'Kontakt' : 'Kontakte'}, wie die Liste gefiltert ist.`,
    accounts: (count, text) => `${text} ${count === 1 ? 'Firma' : 'Firmen'}, wie die Liste gefiltert ist.`,
  },
  columns: 'Spalten',
  allColumns: 'Alle Spalten',
  allColumnsText: 'Mit den eigenen Feldern des Arbeitsbereichs.',
  chosenColumns: 'Ausgewählte Spalten',
  chosenColumnsText: (count) =>
    count === 1 ? '1 Spalte, zuerst die der Liste.' : `${count} Spalten, zuerst die der Liste.`,
  format: 'Dateiformat',
  formats: {
    csv: { label: 'CSV-Datei', description: 'Für Tabellen und für Importe.' },
    jsonl: { label: 'JSON-Zeilen', description: 'Für Programme: ein Objekt je Zeile.' },
  },
  submit: 'Exportieren',
  submitCount: (text) => `${text} exportieren`,
  tooMany: 'Sie haben in 24 Stunden zehn Exporte gestartet. Versuchen Sie es später erneut.',
  task: {
    leads: (count, text) => `${text} ${count === 1 ? 'Lead wird' : 'Leads werden'} exportiert`,
    contacts: (count, text) => `${text} ${count === 1 ? 'Kontakt wird' : 'Kontakte werden'} exportiert`,
    accounts: (count, text) => `${text} ${count === 1 ? 'Firma wird' : 'Firmen werden'} exportiert`,
  },
  download: 'Herunterladen',
  downloadFile: (label) => `Herunterladen: ${label}`,
  expired: 'Die Datei wurde gelöscht. Dateien von Exporten werden 24 Stunden lang aufbewahrt.',
}
