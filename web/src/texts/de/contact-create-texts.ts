import type { TextsOf } from './texts.ts'

export const contactCreateTexts: TextsOf<'contactCreateTexts'> = {
  title: 'Neuer Kontakt',
  create: 'Kontakt anlegen',
  created: (name) => `${name} wurde angelegt.`,
  email: 'E-Mail',
  firstName: 'Vorname',
  lastName: 'Nachname',
  account: 'Firma',
  createAccount: (name) => `Firma ${name} anlegen`,
  jobTitle: 'Position',
  phone: 'Telefon',
  owner: 'Zuständig',
  me: 'Ich',
  noOwner: 'Niemand',
  required: 'Geben Sie eine E-Mail-Adresse, eine Telefonnummer oder einen Nachnamen ein.',
  similar: (count) => (count === 1 ? 'Es gibt einen ähnlichen Kontakt:' : `Es gibt ${count} ähnliche Kontakte:`),
  open: 'Öffnen',
  openContact: (name) => `${name} öffnen`,
  exists: 'Es gibt schon einen Kontakt mit dieser E-Mail-Adresse.',
  openExisting: 'Vorhandenen Kontakt öffnen',
}
