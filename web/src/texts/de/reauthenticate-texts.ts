import type { TextsOf } from './texts.ts'

export const reauthenticateTexts: TextsOf<'reauthenticateTexts'> = {
  title: 'Bestätigen Sie, dass Sie es sind',
  text: 'Für diese Aktion müssen Sie sich in den letzten 15 Minuten angemeldet haben.',
  password: (email) => `Passwort von ${email}`,
  confirm: 'Bestätigen',
  atProvider:
    'Für diese Aktion müssen Sie sich in den letzten 15 Minuten angemeldet haben. Melden Sie sich noch einmal an und wiederholen Sie die Aktion.',
  continueWith: (provider) => `Weiter mit ${provider}`,
}
