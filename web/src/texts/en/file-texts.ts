import { translate } from '../language.ts'

export const fileTexts = translate('fileTexts', {
  choose: 'choose one',
  file: 'File',
  percent: (number: string) => `${number} %`,
  amount: (sent: string, total: string) => `${sent} of ${total}`,
  secondsLeft: (seconds: number) => `${seconds} s left`,
  reading: 'The server is reading the file.',
  cancel: 'Cancel',
})
