import type { TextsOf } from './texts.ts'

export const chartTexts: TextsOf<'chartTexts'> = {
  table: 'Tabelle',
  notOver: 'läuft noch',
  unfinished: (period) => `${period}, läuft noch`,
  keys: 'Die Pfeiltasten wechseln zwischen den Werten.',
  keysWithRecords: 'Die Pfeiltasten wechseln zwischen den Werten, die Eingabetaste zeigt ihre Datensätze.',
  asOf: (window, time, zone) => `${window} · Stand ${time}, ${zone}`,
}
