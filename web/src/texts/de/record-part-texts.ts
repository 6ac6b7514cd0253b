import type { TextsOf } from './texts.ts'

export const recordPartTexts: TextsOf<'recordPartTexts'> = {
  noOwner: 'Niemand',
  assign: 'Zuweisen',
  changeOwner: 'Zuständigkeit ändern',
  doNotCall: 'Nicht anrufen',
  emailStatuses: {
    unsubscribed: 'Abgemeldet',
    bounced: 'E-Mail unzustellbar',
    complained: 'Beschwerde über E-Mail',
  },
  restricted: 'Verarbeitung eingeschränkt',
  change: (from, to) => `von ${from} zu ${to}`,
  changeTo: (to) => `zu ${to}`,
  campaigns: {
    part: 'Die Kampagnen',
    none: 'Noch in keiner Kampagne.',
    responded: 'Hat reagiert',
    added: (when) => `hinzugefügt ${when}`,
  },
  suggestions: {
    title: 'Gefundene Werte',
    part: 'Die gefundenen Werte',
    none: 'Kein Anbieter hat andere Werte gefunden.',
    now: 'jetzt',
    accept: 'Übernehmen',
    reject: 'Ablehnen',
    acceptOf: (field) => `Wert von ${field} übernehmen`,
    rejectOf: (field) => `Wert von ${field} ablehnen`,
    accepted: (field) => `${field} wurde geändert.`,
    rejected: 'Der Wert wurde abgelehnt.',
  },
}
