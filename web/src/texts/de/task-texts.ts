import type { TextsOf } from './texts.ts'

export const taskTexts: TextsOf<'taskTexts'> = {
  progress: (done, total) => (total === null ? `${done} erledigt` : `${done} von ${total}`),
  region: 'Laufende Vorgänge',
  group: 'Vorgänge',
  waiting: 'Wartet',
  done: 'Erledigt',
  failures: (count) => `${count} fehlgeschlagen`,
  stopped: (message) => `Angehalten: ${message}`,
  left: (duration) => `noch etwa ${duration}`,
  almostDone: 'noch weniger als eine Minute',
  undo: 'Rückgängig machen',
  undoTask: (label) => `Rückgängig machen: ${label}`,
  cancel: 'Abbrechen',
  cancelTask: (label) => `Abbrechen: ${label}`,
  canceling: 'Wird abgebrochen',
  dismiss: 'Ausblenden',
  dismissTask: (label) => `Ausblenden: ${label}`,
  canceled: 'Der Vorgang wurde abgebrochen.',
}
