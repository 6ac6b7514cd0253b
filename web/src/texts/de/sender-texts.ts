import type { TextsOf } from './texts.ts'

export const senderTexts: TextsOf<'senderTexts'> = {
  text: 'Was gilt, wenn Sequenzen in Ihrem Namen E-Mails senden und Aufgaben anlegen.',
  part: 'Die Einstellungen des Absenders',
  card: 'E-Mails in Ihrem Namen',
  signature: 'Signatur',
  signatureHint: 'Der Wert „Signatur des Absenders“ in den Texten von Sequenzen.',
  limit: 'Höchstens E-Mails am Tag',
  limitHint: (limit) => `Leer für die Grenze des Arbeitsbereichs, ${limit} E-Mails am Tag.`,
  away: 'Abwesenheit',
  awayText:
    'An diesen Tagen wird in Ihrem Namen nichts gesendet und keine Aufgabe angelegt. Was dann fällig ist, folgt am ersten Tag danach.',
  awayFrom: 'Erster Tag',
  awayTo: 'Letzter Tag',
  isAway: (from, to) => `Sie sind vom ${from} bis ${to} abwesend.`,
  clearAway: 'Nicht abwesend',
  others: 'Kollegen',
  othersMayEnroll: 'Andere Benutzer dürfen Personen mit mir als Absender aufnehmen',
  othersHint: 'Manager, Admins und Leiter Ihrer Teams dürfen es immer.',
  save: 'Absender speichern',
  both: 'Geben Sie den ersten und den letzten Tag an.',
  order: 'Der letzte Tag darf nicht vor dem ersten liegen.',
}
