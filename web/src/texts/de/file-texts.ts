import type { TextsOf } from './texts.ts'

export const fileTexts: TextsOf<'fileTexts'> = {
  choose: 'wählen Sie eine aus',
  file: 'Datei',
  percent: (number) => `${number} %`,
  amount: (sent, total) => `${sent} von ${total}`,
  secondsLeft: (seconds) => `noch ${seconds} s`,
  reading: 'Der Server liest die Datei.',
  cancel: 'Abbrechen',
}
