import type { TextsOf } from './texts.ts'

const contacts = (count: number, text: string) => `${text} ${count === 1 ? 'Kontakt' : 'Kontakte'}`
const ofContacts = (count: number, text: string) => `${text} ${count === 1 ? 'Kontakt' : 'Kontakten'}`
const was = (count: number) => (count === 1 ? 'wurde' : 'wurden')

export const contactBulkTexts: TextsOf<'contactBulkTexts'> = {
  label: 'Ausgewählte Kontakte',
  selected: (count, text) => `${contacts(count, text)} ausgewählt`,
  assign: 'Zuweisen',
  assignTitle: (count, text) => `${contacts(count, text)} zuweisen an`,
  tags: 'Tags',
  changeTags: 'Tags der ausgewählten Kontakte ändern',
  addTags: 'Tags hinzufügen',
  removeTags: 'Tags entfernen',
  tagsHint: 'Mehrere Tags werden durch Kommas getrennt.',
  addTo: 'Aufnehmen in',
  addSelected: 'Aufnehmen in eine Kampagne oder Kadenz',
  campaign: 'Kampagne',
  cadence: 'Kadenz',
  campaigns: { search: 'Kampagnen suchen', part: 'Die Kampagnen', none: 'Keine Kampagne passt.' },
  cadences: { search: 'Aktive Kadenzen suchen', part: 'Die Kadenzen', none: 'Keine aktive Kadenz passt.' },
  optOut: 'Abmelden',
  optOutWarning:
    'Sie erhalten keine Werbe-E-Mails mehr, auch nicht als Leads mit derselben Adresse. Das lässt sich nur mit Einwilligung der Person zurücknehmen.',
  remove: 'Löschen',
  done: {
    assign: (count, text) => `${contacts(count, text)} ${was(count)} zugewiesen.`,
    add_tags: (count, text) => `${ofContacts(count, text)} wurden Tags hinzugefügt.`,
    remove_tags: (count, text) => `Bei ${ofContacts(count, text)} wurden Tags entfernt.`,
    opt_out: (count, text) => `${contacts(count, text)} ${was(count)} abgemeldet.`,
    add_to_campaign: (count, text) => `${contacts(count, text)} ${was(count)} in die Kampagne aufgenommen.`,
    enroll_cadence: (count, text) => `${contacts(count, text)} ${was(count)} in die Kadenz aufgenommen.`,
    delete: (count, text) => `${contacts(count, text)} ${was(count)} gelöscht.`,
    restore: (count, text) => `${contacts(count, text)} ${was(count)} wiederhergestellt.`,
  },
  failedTitle: (failed, total) => `${failed} von ${total} Kontakten wurden nicht geändert`,
  selectFailed: 'Diese Kontakte auswählen',
  changedText: (before, now) =>
    `Als Sie auswählten, passten ${before} Kontakte zu den Filtern, jetzt sind es ${now} Kontakte.`,
  tasks: {
    assign: (total) => `${total} Kontakte werden zugewiesen`,
    add_tags: (total) => `${total} Kontakten werden Tags hinzugefügt`,
    remove_tags: (total) => `Bei ${total} Kontakten werden Tags entfernt`,
    opt_out: (total) => `${total} Kontakte werden abgemeldet`,
    add_to_campaign: (total) => `${total} Kontakte werden in eine Kampagne aufgenommen`,
    enroll_cadence: (total) => `${total} Kontakte werden in eine Kadenz aufgenommen`,
    delete: (total) => `${total} Kontakte werden gelöscht`,
    restore: (total) => `${total} Kontakte werden wiederhergestellt`,
  },
  taskEnded: {
    failed: 'Die Änderung der Kontakte ist fehlgeschlagen.',
    cancelled: 'Die Änderung der Kontakte wurde abgebrochen.',
  },
  taskFailures: (count, text) => `${contacts(count, text)} ${was(count)} nicht geändert.`,
  confirm: {
    assign: (count, text, owner) => `${contacts(count, text)} an ${owner} zuweisen`,
    add_tags: (count, text, tags) => `${ofContacts(count, text)} ${tags} hinzufügen`,
    remove_tags: (count, text, tags) => `${tags} von ${ofContacts(count, text)} entfernen`,
    opt_out: (count, text) => `${contacts(count, text)} abmelden`,
    add_to_campaign: (count, text, name) => `${contacts(count, text)} in ${name} aufnehmen`,
    enroll_cadence: (count, text, name) => `${contacts(count, text)} in ${name} aufnehmen`,
    delete: (count, text) => `${contacts(count, text)} löschen`,
    restore: (count, text) => `${contacts(count, text)} wiederherstellen`,
  },
  confirmSmall: 'Alle diese Kontakte werden auf einmal geändert.',
  restoring: (count, text) => `${contacts(count, text)} ${count === 1 ? 'wird' : 'werden'} wiederhergestellt`,
  restored: (restored, restoredText, skipped, skippedText) => {
    const done = `${contacts(restored, restoredText)} ${was(restored)} wiederhergestellt.`
    if (skipped === 0) return done
    return skipped === 1
      ? `${done} 1 Kontakt wurde ausgelassen, weil er nicht wiederhergestellt werden konnte oder seitdem geändert wurde.`
      : `${done} ${contacts(skipped, skippedText)} wurden ausgelassen, weil sie nicht wiederhergestellt werden konnten oder seitdem geändert wurden.`
  },
}
