import type { TextsOf } from './texts.ts'

export const leadCommandTexts: TextsOf<'leadCommandTexts'> = {
  group: 'Lead',
  logCall: 'Anruf festhalten',
  logEmail: 'E-Mail festhalten',
  writeNote: 'Notiz schreiben',
  createTask: 'Aufgabe anlegen',
  edit: 'Einzelheiten bearbeiten',
  assign: 'Zuweisen',
  setStatus: (status) => `Status auf ${status} setzen`,
}
