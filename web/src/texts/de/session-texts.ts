import type { TextsOf } from './texts.ts'

const problems: Readonly<Record<string, string>> = {
  invalid_credentials: 'Das Passwort ist nicht richtig.',
  account_locked: 'Zu viele Versuche. Warten Sie einige Minuten und versuchen Sie es noch einmal.',
  rate_limited: 'Zu viele Versuche. Warten Sie einen Moment und versuchen Sie es noch einmal.',
  unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
}

export const sessionTexts: TextsOf<'sessionTexts'> = {
  title: 'Melden Sie sich an, um fortzufahren',
  nothingLost: 'Ihre Sitzung ist beendet. Nichts ist verloren: Was Sie getippt haben, bleibt erhalten.',
  password: (email) => `Passwort von ${email}`,
  signIn: (name) => `Als ${name} anmelden`,
  signOut: 'Als andere Person anmelden',
  inNewTab: 'Melden Sie sich in einem neuen Tab an. Diese Seite geht von selbst weiter.',
  waiting: 'Wartet auf die Anmeldung im anderen Tab.',
  problem: (code) => problems[code] ?? 'Die Anmeldung ist fehlgeschlagen. Versuchen Sie es noch einmal.',
}
