import type { TextsOf } from './texts.ts'

export const createTexts: TextsOf<'createTexts'> = {
  title: 'Neuer Lead',
  create: 'Lead anlegen',
  cancel: 'Abbrechen',
  created: (name) => `${name} wurde angelegt.`,
  email: 'E-Mail',
  firstName: 'Vorname',
  lastName: 'Nachname',
  company: 'Firma',
  jobTitle: 'Position',
  phone: 'Telefon',
  source: 'Quelle',
  noSource: 'Nicht angegeben',
  owner: 'Zuständig',
  me: 'Ich',
  automatic: 'Nach den Regeln des Arbeitsbereichs',
  noOwner: 'Niemand',
  similar: (count) =>
    count === 1 ? 'Es gibt einen Lead mit dieser E-Mail-Adresse:' : `Es gibt ${count} Leads mit dieser E-Mail-Adresse:`,
  open: 'Öffnen',
  openLead: (name) => `${name} öffnen`,
  exists: 'Es gibt schon einen Lead mit dieser E-Mail-Adresse.',
  openExisting: 'Vorhandenen Lead öffnen',
}
