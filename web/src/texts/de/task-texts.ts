import type { TextsOf } from './texts.ts'

const leads = (count: number, text: string) => `${text} ${count === 1 ? 'Lead' : 'Leads'}`

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
  restoring: (count, text) => `${leads(count, text)} ${count === 1 ? 'wird' : 'werden'} wiederhergestellt`,
  restored: (restored, restoredText, skipped, skippedText) => {
    const done = `${leads(restored, restoredText)} ${restored === 1 ? 'wurde' : 'wurden'} wiederhergestellt.`
    if (skipped === 0) return done
    return skipped === 1
      ? `${done} 1 Lead wurde ausgelassen, weil er nicht wiederhergestellt werden konnte oder seitdem geändert wurde.`
      : `${done} ${leads(skipped, skippedText)} wurden ausgelassen, weil sie nicht wiederhergestellt werden konnten oder seitdem geändert wurden.`
  },
  undo: 'Rückgängig machen',
  undoTask: (label) => `Rückgängig machen: ${label}`,
  cancel: 'Abbrechen',
  cancelTask: (label) => `Abbrechen: ${label}`,
  canceling: 'Wird abgebrochen',
  dismiss: 'Ausblenden',
  dismissTask: (label) => `Ausblenden: ${label}`,
  canceled: 'Der Vorgang wurde abgebrochen.',
}
