import type { TextsOf } from './texts.ts'

type Conflict = TextsOf<'trashTexts'>['conflict']

const conflicts: Readonly<Record<string, Partial<Record<Parameters<Conflict>[0], string>>>> = {
  already_exists: {
    lead: 'Ein anderer Lead hat jetzt diese E-Mail-Adresse. Ändern oder löschen Sie zuerst jenen Lead.',
    contact: 'Ein anderer Kontakt hat jetzt diese E-Mail-Adresse. Ändern oder löschen Sie zuerst jenen Kontakt.',
    account: 'Eine andere Firma hat jetzt diese Domain. Ändern oder löschen Sie zuerst jene Firma.',
  },
  conflict: { opportunity: 'Die Firma dieses Deals ist gelöscht. Stellen Sie zuerst die Firma wieder her.' },
}

const records = (count: number, text: string): string => (count === 1 ? '1 Datensatz' : `${text} Datensätze`)

export const trashTexts: TextsOf<'trashTexts'> = {
  title: 'Papierkorb',
  kinds: { lead: 'Leads', contact: 'Kontakte', account: 'Firmen', opportunity: 'Deals' },
  choose: 'Gelöschte Datensätze nach Art',
  list: 'Der Papierkorb',
  hint: 'Gelöschte Datensätze werden 30 Tage lang aufbewahrt.',
  ownHint: 'Sie sehen, was Sie gelöscht haben. Gelöschte Datensätze werden 30 Tage lang aufbewahrt.',
  empty: (kind) => `Keine gelöschten ${kind}`,
  emptyText: 'Was gelöscht wird, kann hier 30 Tage lang wiederhergestellt werden.',
  selectAll: 'Alle gezeigten auswählen',
  select: (name) => `${name} auswählen`,
  noName: 'Ohne Namen',
  deletedBy: (name) => `Gelöscht von ${name}`,
  deleted: 'Gelöscht',
  until: (date) => `aufbewahrt bis ${date}`,
  restore: 'Wiederherstellen',
  restoreOne: (name) => `${name} wiederherstellen`,
  restoreSelected: (count, text) => `${records(count, text)} wiederherstellen`,
  restored: (name) => `${name} wurde wiederhergestellt.`,
  restoredMany: (count, text) => `${records(count, text)} ${count === 1 ? 'wurde' : 'wurden'} wiederhergestellt.`,
  failedMany: (count, text) =>
    `${records(count, text)} ${count === 1 ? 'konnte' : 'konnten'} nicht wiederhergestellt werden; die Liste nennt den Grund.`,
  notInTrash: (name) =>
    `${name} ist nicht mehr im Papierkorb. Vielleicht hat eine andere Person den Datensatz wiederhergestellt.`,
  showMore: 'Mehr zeigen',
  group: 'Papierkorb',
  conflict: (kind, code) => conflicts[code]?.[kind],
}
