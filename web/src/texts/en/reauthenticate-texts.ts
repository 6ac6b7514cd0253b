import { translate } from '../language.ts'

export const reauthenticateTexts = translate('reauthenticateTexts', {
  title: 'Confirm that it is you',
  text: 'This action needs a sign-in within the last 15 minutes.',
  password: (email: string) => `Password of ${email}`,
  confirm: 'Confirm',
  atProvider: 'This action needs a sign-in within the last 15 minutes. Sign in again, then repeat the action.',
  continueWith: (provider: string) => `Continue with ${provider}`,
})
