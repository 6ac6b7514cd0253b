import type { TextsOf } from './texts.ts'

export const convertTexts: TextsOf<'convertTexts'> = {
  title: (name) => `${name} konvertieren`,
  convert: 'Konvertieren',
  cancel: 'Abbrechen',
  done: 'Fertig',
  account: 'Firma',
  contact: 'Kontakt',
  deal: 'Deal',
  create: (name) => `${name} anlegen`,
  use: (name) => `${name} verwenden`,
  createDeal: 'Deal anlegen',
  name: 'Name des Deals',
  amount: (currency) => `Betrag in ${currency}`,
  closeOn: 'Voraussichtlicher Abschluss',
  pipeline: 'Pipeline',
  converted: 'Der Lead wurde konvertiert',
  isNew: 'angelegt',
  existed: 'war schon vorhanden',
}
