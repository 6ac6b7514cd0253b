import type { TextsOf } from './texts.ts'

const notWhileImpersonating = 'Das ist nicht möglich, solange Sie als andere Person handeln.'

export const settingsTexts: TextsOf<'settingsTexts'> = {
  title: 'Einstellungen',
  openSection: (section) => `Einstellungen öffnen: ${section}`,
  groups: { workspace: 'Arbeitsbereich', account: 'Ihr Konto' },
  sections: {
    workspace: 'Arbeitsbereich',
    'sample-data': 'Beispieldaten',
    profile: 'Profil',
    sender: 'Absender',
    'sign-ins': 'Anmeldungen',
    'api-keys': 'API-Schlüssel',
    appearance: 'Darstellung',
  },
  signOut: 'Abmelden',
  part: 'Die Einstellungen',
  actionFailed: (reason) => `Das hat nicht funktioniert. ${reason}`,
}

export const workspaceTexts: TextsOf<'workspaceTexts'> = {
  text: 'Was alle Personen dieses Arbeitsbereichs sehen und verwenden.',
  readOnly: 'Nur Admins können diese Einstellungen ändern.',
  general: 'Allgemein',
  generalText: 'Tage, Wochen und Quartale aller Berichte richten sich nach diesen Werten.',
  fields: {
    name: 'Name des Arbeitsbereichs',
    timezone: 'Zeitzone',
    locale: 'Sprache',
    currency: 'Währung der Summen',
    fiscal_year_start_month: 'Geschäftsjahr beginnt im',
    week_starts_on: 'Woche beginnt am',
    primary_color: 'Hauptfarbe',
    email_from_name: 'Absendername der E-Mails',
    email_footer: 'Fußzeile der E-Mails',
  },
  weekDays: { monday: 'Montag', sunday: 'Sonntag', saturday: 'Samstag' },
  currencyHint: 'Sobald Ziele gespeichert sind, kann sie nicht mehr geändert werden.',
  branding: 'Erscheinungsbild',
  brandingText: 'Wird in der Anwendung, auf Seiten für Kunden und in E-Mails verwendet.',
  colorHint: 'Ihre Helligkeit wird angepasst, bis Text lesbar ist.',
  chooseColor: 'Hauptfarbe auswählen',
  standardColor: 'Standardfarbe verwenden',
  fromNameHint: 'Ohne ihn tragen E-Mails den Namen des Arbeitsbereichs.',
  preview: 'Vorschau',
  light: 'Hell',
  dark: 'Dunkel',
  previewButton: 'Speichern',
  previewLink: 'Ein Link',
  previewBadge: 'Ausgewählt',
  save: 'Änderungen speichern',
  problem: (code) =>
    code === 'currency_in_use'
      ? 'Die Währung kann nicht geändert werden, weil Ziele in ihr gespeichert sind.'
      : undefined,
}

export const signOutAllTexts: TextsOf<'signOutAllTexts'> = {
  title: 'Anmeldungen aller Personen',
  text: 'Nach einem verlorenen Gerät oder einem bekannt gewordenen Passwort. API-Schlüssel gelten weiter.',
  signedIn: (count) =>
    count === '1' ? 'Nur Sie sind angemeldet.' : `${count} Personen sind angemeldet, Sie eingeschlossen.`,
  signOutAll: 'Alle Personen abmelden',
  confirm: (others) =>
    others === '0'
      ? 'Nur Sie sind angemeldet. Ihre anderen Browser werden abgemeldet.'
      : others === '1'
        ? '1 Person wird in allen Browsern abgemeldet und muss sich neu anmelden. Anmeldungen als andere Person enden.'
        : `${others} Personen werden in allen Browsern abgemeldet und müssen sich neu anmelden. Anmeldungen als andere Person enden.`,
  kept: 'Sie bleiben hier angemeldet, aber nicht in Ihren anderen Browsern.',
  done: (count) => (count === '1' ? '1 Person wurde abgemeldet' : `${count} Personen wurden abgemeldet`),
  problem: (code) => (code === 'impersonation_not_allowed' ? notWhileImpersonating : undefined),
}

const sampleDataProblems: Readonly<Record<string, string>> = {
  already_exists: 'Der Arbeitsbereich hat schon Beispieldaten.',
  conflict: 'Die Beispieldaten werden gerade geladen oder entfernt. Warten Sie, bis das abgeschlossen ist.',
}

const recordKinds: Readonly<Record<string, string>> = {
  user: 'Personen',
  team: 'Teams',
  lead: 'Leads',
  contact: 'Kontakte',
  account: 'Firmen',
  opportunity: 'Deals',
  activity: 'Aktivitäten',
  campaign: 'Kampagnen',
  segment: 'Segmente',
  room: 'Räume',
  content: 'Inhalte',
  content_item: 'Inhalte',
  survey: 'Umfragen',
  reply: 'Antworten',
  usage_actor: 'Produktnutzer',
}

export const sampleDataTexts: TextsOf<'sampleDataTexts'> = {
  text: 'Personen, Leads, Deals und Räume einer erfundenen Firma zum Umsehen. Es werden keine E-Mails gesendet.',
  empty: 'Es sind keine Beispieldaten geladen',
  emptyText:
    'Das Laden dauert etwa eine Minute. Sie können sie später entfernen, ohne Ihre eigenen Datensätze zu ändern.',
  load: 'Beispieldaten laden',
  continueLoading: 'Weiter laden',
  loading: 'Beispieldaten werden geladen',
  loadedDone: 'Die Beispieldaten sind geladen.',
  loaded: 'Beispieldaten sind geladen',
  loadedBy: (name, when) => `Geladen von ${name}, ${when}`,
  modified: (count) =>
    count === '1'
      ? '1 dieser Datensätze wurde seitdem geändert.'
      : `${count} dieser Datensätze wurden seitdem geändert.`,
  remove: 'Beispieldaten entfernen',
  removeText:
    'Alle Datensätze der Beispieldaten werden gelöscht. Das kann nicht rückgängig gemacht werden. Ihre eigenen Datensätze bleiben.',
  includeModified: 'Auch geänderte Datensätze der Beispieldaten löschen',
  removing: 'Beispieldaten werden entfernt',
  tryAgain: 'Erneut versuchen',
  removed: (removed, kept) => `Gelöscht: ${removed}. Behalten: ${kept}.`,
  kinds: (kind) => recordKinds[kind] ?? kind.replaceAll('_', ' '),
  problem: (code) => sampleDataProblems[code],
}

export const profileTexts: TextsOf<'profileTexts'> = {
  text: 'Wie andere Personen des Arbeitsbereichs Sie sehen.',
  personal: 'Über Sie',
  fields: {
    name: 'Name',
    title: 'Position',
    phone: 'Telefon',
    timezone: 'Zeitzone',
    locale: 'Sprache',
  },
  localeHint:
    'Daten und Zahlen richten sich danach. Die Texte sind deutsch oder englisch; bei einer anderen Sprache sind sie englisch.',
  languageLater: 'Die Seite wechselt die Sprache, wenn sie neu geladen wird.',
  email: 'E-Mail',
  emailHint: 'Ein Admin kann sie ändern.',
  role: 'Rolle',
  save: 'Profil speichern',
  password: 'Passwort',
  passwordText: 'Ein neues Passwort meldet Sie in allen anderen Browsern ab.',
  currentPassword: 'Aktuelles Passwort',
  newPassword: 'Neues Passwort',
  revokeKeys: 'Auch meine API-Schlüssel widerrufen',
  savePassword: 'Passwort ändern',
  passwordSaved: (sessions) => {
    const ended = sessions === 2 ? '1 weitere Sitzung wurde' : `${sessions - 1} weitere Sitzungen wurden`
    return `Das Passwort wurde geändert.${sessions > 1 ? ` ${ended} beendet.` : ''}`
  },
  noPassword: (provider) => `Sie melden sich mit ${provider} an, ohne Passwort.`,
}

export const signInTexts: TextsOf<'signInTexts'> = {
  text: 'Browser, in denen Sie angemeldet sind.',
  sessions: 'Sitzungen',
  device: (browser, system) =>
    browser && system ? `${browser} unter ${system}` : (browser ?? system ?? 'Unbekannter Browser'),
  current: 'Dieser Browser',
  seen: (when) => `Zuletzt aktiv: ${when}`,
  since: (when) => `Angemeldet: ${when}`,
  revoke: 'Abmelden',
  revokeLabel: (device) => `${device} abmelden`,
  revoked: (device) => `${device} wurde abgemeldet`,
  revokeOthers: 'Alle anderen abmelden',
  othersRevoked: (count) => (count === 1 ? '1 Sitzung wurde beendet' : `${count} Sitzungen wurden beendet`),
  onlyThis: 'Sie sind nirgendwo sonst angemeldet.',
}

const keyProblems: Readonly<Record<string, string>> = {
  role_required: 'In diesem Arbeitsbereich können nur Admins API-Schlüssel anlegen.',
  email_verification_required: 'Bestätigen Sie Ihre E-Mail-Adresse, bevor Sie API-Schlüssel anlegen.',
  conflict: 'Die Höchstzahl aktiver API-Schlüssel ist erreicht. Widerrufen Sie zuerst einen.',
}

export const apiKeyTexts: TextsOf<'apiKeyTexts'> = {
  text: 'Mit einem Schlüssel handelt ein Programm in Ihrem Namen, mit den Berechtigungen, die Sie ihm geben.',
  create: 'API-Schlüssel anlegen',
  empty: 'Sie haben keine API-Schlüssel',
  emptyText: 'Legen Sie einen an, um ein Formular, ein Skript oder ein anderes Produkt zu verbinden.',
  keys: 'Ihre Schlüssel',
  name: 'Name',
  nameHint: 'Wofür der Schlüssel ist, zum Beispiel „Website-Formular“.',
  access: 'Berechtigungen',
  accessOptions: {
    read_only: { label: 'Nur lesen', description: 'Liest alles, was Sie lesen können.' },
    chosen: {
      label: 'Ausgewählte Berechtigungen',
      description: 'Liest, schreibt oder löscht nur, was Sie auswählen.',
    },
  },
  scopeTable: 'Berechtigungen des Schlüssels',
  scopeActions: { read: 'Lesen', write: 'Schreiben', delete: 'Löschen' },
  noScopes: 'Wählen Sie mindestens eine Berechtigung aus.',
  expiry: 'Läuft ab',
  expiries: { '30': 'In 30 Tagen', '90': 'In 90 Tagen', '365': 'In einem Jahr', '': 'Nie' },
  statuses: { active: 'Aktiv', expired: 'Abgelaufen', revoked: 'Widerrufen' },
  permissionCount: (count) => (count === 1 ? '1 Berechtigung' : `${count} Berechtigungen`),
  readOnly: 'Nur lesen',
  expires: (when) => `Läuft ab: ${when}`,
  neverExpires: 'Läuft nie ab',
  used: (when) => `Zuletzt verwendet: ${when}`,
  unused: 'Nie verwendet',
  revoke: 'Widerrufen',
  revokeLabel: (name) => `${name} widerrufen`,
  revokeTitle: (name) => `${name} widerrufen`,
  revokeText:
    'Programme, die diesen Schlüssel verwenden, verlieren sofort den Zugang. Das kann nicht rückgängig gemacht werden.',
  revoked: (name) => `${name} wurde widerrufen`,
  created: 'Kopieren Sie Ihren neuen Schlüssel jetzt',
  createdText: 'Er wird nur einmal gezeigt. Bewahren Sie ihn auf wie ein Passwort.',
  key: 'API-Schlüssel',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyKey: 'Schlüssel kopieren',
  copyCall: 'Befehl kopieren',
  firstCall: 'Erster Aufruf',
  done: 'Ich habe den Schlüssel aufbewahrt',
  reference: 'API-Referenz',
  problem: (code) => keyProblems[code],
}

export const scopeResourceTexts: TextsOf<'scopeResourceTexts'> = {
  leads: 'Leads',
  contacts: 'Kontakte',
  accounts: 'Firmen',
  opportunities: 'Deals und Pipelines',
  campaigns: 'Kampagnen',
  segments: 'Segmente',
  surveys: 'Umfragen',
  content: 'Inhalte',
  collections: 'Sammlungen',
  rooms: 'Räume',
  coaching: 'Coaching',
  learning: 'Lernen',
  pitch: 'Pitch-Training',
  experts: 'Fachleute',
  insights: 'Erkenntnisse',
  community: 'Community',
  plg: 'Produktnutzung',
  enrichment: 'Anreicherung',
  custom_fields: 'Eigene Felder',
  users: 'Personen',
  teams: 'Teams',
  tasks: 'Hintergrundaufgaben',
  webhooks: 'Webhooks',
  integrations: 'Verbundene Apps',
  admin: 'Einstellungen und Audit-Log',
}

export const appearanceTexts: TextsOf<'appearanceTexts'> = {
  text: 'Nur für Sie. Farben, Zeilen und Tasten gelten in diesem Browser.',
  theme: 'Farben',
  themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
  density: 'Zeilen der Listen',
  densities: { compact: 'Kompakt', normal: 'Mittel', comfortable: 'Weit' },
  densityDescriptions: {
    compact: 'Die meisten Zeilen auf dem Bildschirm.',
    normal: 'Ein Mittelweg.',
    comfortable: 'Mehr Abstand zwischen den Zeilen.',
  },
  keyboard: 'Tastatur',
  shortcuts: 'Tastenkürzel mit einem Buchstaben, etwa C für Anlegen',
  shortcutsHint: 'Schalten Sie sie aus, wenn Sie mit Spracheingabe arbeiten. Tastenkürzel mit Strg oder Cmd bleiben.',
  showShortcuts: 'Tastenkürzel zeigen',
}
