import type { TextsOf } from './texts.ts'

export const bannerTexts: TextsOf<'bannerTexts'> = {
  offline: 'Sie sind offline. Änderungen warten, bis die Verbindung wieder da ist.',
  unreachable: 'Der Server ist nicht erreichbar. Änderungen werden nicht gespeichert, bis er wieder antwortet.',
  busy: 'Der Dienst ist ausgelastet. Einige Anfragen schlagen im Moment fehl; versuchen Sie es in einigen Sekunden noch einmal.',
  maintenance: 'Der Arbeitsbereich wird gewartet. Änderungen können im Moment nicht gespeichert werden.',
  unverified: (email) => `Bestätigen Sie Ihre E-Mail-Adresse: Öffnen Sie den Link, den wir an ${email} gesendet haben.`,
  resend: 'Erneut senden',
  impersonating: (name, time) =>
    `Sie handeln bis ${time} als ${name}. Änderungen werden unter beiden Namen festgehalten.`,
  stop: 'Beenden',
  newVersion: 'Eine neue Version ist verfügbar.',
}
