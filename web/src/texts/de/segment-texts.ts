import type { TextsOf } from './texts.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

const problems: Readonly<Record<string, string>> = {
  already_exists: 'Ein anderes Segment dieser Art heißt schon so.',
  segment_in_use:
    'Dieses Segment wird inzwischen verwendet. Schließen Sie dies und sehen Sie unter „Verwendet von“ nach.',
  segment_invalid: 'Die Regel dieses Segments hat Fehler. Beheben Sie sie zuerst.',
  limit_reached: 'Der Arbeitsbereich hat 1.000 Segmente. Löschen Sie zuerst eines.',
  version_mismatch: 'Jemand anderes hat dieses Segment geändert. Sehen Sie es sich noch einmal an.',
  not_active: 'Die Kadenz oder Kampagne ist nicht aktiv. Aktivieren Sie sie zuerst.',
}

const skipReasons: Readonly<Record<string, string>> = {
  already_member: 'schon dabei',
  already_enrolled: 'schon dabei',
  not_found: 'gelöscht',
  opted_out: 'abgemeldet',
  not_opted_in: 'ohne Einwilligung',
  no_email: 'ohne E-Mail-Adresse',
  bounced: 'mit unzustellbarer Adresse',
  lead_converted: 'konvertiert',
  lead_unqualified: 'nicht qualifiziert',
  processing_restricted: 'eingeschränkt',
  reenroll_too_early: 'vor Kurzem dabei',
  in_other_cadence: 'in anderen Kadenzen',
  no_sender: 'ohne Absender',
}

const targetTypes: Readonly<Record<string, string>> = {
  campaign: 'Kampagne',
  cadence: 'Kadenz',
  segment: 'Segment',
  survey: 'Umfrage',
}

export const segmentTexts: TextsOf<'segmentTexts'> = {
  title: 'Segmente',
  segment: 'Segment',
  area: 'die Segmente',
  create: 'Neues Segment',
  save: 'Segment speichern',
  close: 'Schließen',
  parts: 'Teile des Segments',
  notFound: 'Dieses Segment gibt es nicht',
  notFoundText: 'Vielleicht ist der Link falsch, oder das Segment wurde gelöscht.',
  noName: 'Ohne Namen',
  deletedRecord: 'Gelöschter Datensatz',
  types: { lead: 'Leads', contact: 'Kontakte', account: 'Firmen' },
  nouns: {
    lead: (count) => plural(count, 'Lead', 'Leads'),
    contact: (count) => plural(count, 'Kontakt', 'Kontakte'),
    account: (count) => plural(count, 'Firma', 'Firmen'),
  },
  kinds: { dynamic: 'Aktualisiert sich', static: 'Feste Liste' },
  states: { invalid: 'Hat Fehler' },
  tabs: { rule: 'Regel', uses: 'Verwendet von', settings: 'Einstellungen' },
  recordTabs: { lead: 'Personen', contact: 'Personen', account: 'Firmen' },
  changed: (when) => `geändert ${when}`,
  fields: {
    name: 'Name',
    description: 'Beschreibung',
    owner: 'Zuständig',
    type: 'Datensätze',
    kind: 'Mitglieder',
    created: 'Angelegt',
  },
  list: {
    title: 'Segmente',
    list: 'Segmente',
    area: 'die Segmente',
    create: 'Neues Segment',
    search: 'Segmente suchen',
    selectAll: 'Alle geladenen Segmente auswählen',
    views: { all: 'Alle', leads: 'Leads', contacts: 'Kontakte', accounts: 'Firmen' },
    columns: {
      name: 'Name',
      type: 'Datensätze',
      members: 'Mitglieder',
      state: 'Zustand',
      owner: 'Zuständig',
      changed: 'Geändert',
      created: 'Angelegt',
    },
    filters: { type: 'Datensätze', kind: 'Mitglieder', state: 'Zustand', q: 'Suche' },
    sorts: { name: 'Name', '-name': 'Name, von hinten' },
    sortCommands: { name: 'Nach Namen sortieren', '-name': 'Nach Namen sortieren, von hinten' },
  },
  filterChoices: { ok: 'Ohne Fehler', invalid: 'Mit Fehlern' },
  notCounted: 'Nicht gezählt',
  empty: {
    title: 'Noch keine Segmente',
    text: 'Ein Segment sind alle, die zu einer Regel passen, für Kampagnen und Kadenzen.',
    ofType: {
      lead: 'Noch keine Segmente aus Leads',
      contact: 'Noch keine Segmente aus Kontakten',
      account: 'Noch keine Segmente aus Firmen',
    },
    filtered: 'Kein Segment passt',
    filteredText: 'Entfernen Sie einen Filter, um mehr zu sehen.',
  },

  count: 'Anzahl',
  countedAt: (time) => `gezählt ${time}`,
  countedIn: (seconds) => `in ${seconds} s`,
  countedTo: (count) => `nur bis ${count} gezählt`,
  atLeast: 'mindestens; das Zählen dauerte zu lange',
  beforeChanges: (changes) =>
    changes === 1 ? 'vor Ihrer letzten Änderung' : `vor Ihren letzten ${changes} Änderungen`,
  cappedText: 'Solange Sie bearbeiten, endet die Zahl hier, damit die Seite schnell bleibt.',
  countAll: 'Alle zählen',
  countNow: 'Zählen',
  pausedFor: (seconds) => `Das Zählen beim Bearbeiten beginnt in ${seconds} s wieder.`,
  countFailed: 'Die Anzahl konnte nicht geladen werden. Ihre Regel bleibt erhalten.',
  fixToCount: 'Korrigieren Sie die markierten Bedingungen, um zu zählen.',
  completeToCount: 'Vervollständigen Sie eine Bedingung, um zu zählen.',
  withoutIncomplete: (count) =>
    count === 1
      ? 'Ohne die Bedingung gezählt, die nicht vollständig ist.'
      : `Ohne ${count} Bedingungen gezählt, die nicht vollständig sind.`,
  inWords: 'In Worten',
  samples: 'Neueste',
  newest: (shown, total) => `Neueste ${shown} von ${total}`,
  all: { lead: 'Alle Personen', contact: 'Alle Personen', account: 'Alle Firmen' },
  zero: {
    noneOfAll: {
      lead: 'Kein Lead erfüllt alle. Ändern Sie „Alle“ in „Eine“ oder entfernen Sie eine Bedingung.',
      contact: 'Kein Kontakt erfüllt alle. Ändern Sie „Alle“ in „Eine“ oder entfernen Sie eine Bedingung.',
      account: 'Keine Firma erfüllt alle. Ändern Sie „Alle“ in „Eine“ oder entfernen Sie eine Bedingung.',
    },
    emptyCondition: (count) =>
      count === 1
        ? 'Eine Bedingung trifft auf niemanden zu. Ändern oder entfernen Sie sie.'
        : `${count} Bedingungen treffen auf niemanden zu. Ändern oder entfernen Sie sie.`,
    change: 'Ändern Sie einen Wert oder entfernen Sie eine Bedingung.',
  },
  begin: 'Beginnen Sie mit einer Bedingung. Anzahl und Namen erscheinen, während Sie wählen.',
  nameRequired: 'Geben Sie einen Namen ein.',
  ruleRequired: 'Fügen Sie zuerst eine Bedingung hinzu.',
  created: (name) => `Das Segment ${name} wurde angelegt.`,
  invalidTitle: 'Die Regel hat Fehler',
  invalidText: (count) =>
    `${count === 1 ? '1 Bedingung muss' : `${count} Bedingungen müssen`} korrigiert werden. Bis dahin enthält das Segment niemanden.`,
  problemsText: (count) =>
    `${count === 1 ? '1 Bedingung muss' : `${count} Bedingungen müssen`} korrigiert werden, bevor Sie speichern.`,
  invalidMembers: 'Das Segment enthält niemanden, bis seine Regel korrigiert ist.',
  notYours: 'Nur Manager und die zuständige Person ändern dieses Segment. Duplizieren Sie es, um etwas auszuprobieren.',

  memberColumns: { name: 'Name', company: 'Firma', email: 'E-Mail', created: 'Angelegt' },
  noMembers: { lead: 'Keine Leads', contact: 'Keine Kontakte', account: 'Keine Firmen' },
  noMembersStatic: 'Fügen Sie oben den ersten Datensatz hinzu.',
  noMembersDynamic: 'Zur gespeicherten Regel passt zurzeit nichts.',
  addMembers: { lead: 'Leads hinzufügen', contact: 'Kontakte hinzufügen', account: 'Firmen hinzufügen' },
  memberAdded: (name, isNew) => (isNew ? `${name} wurde hinzugefügt.` : `${name} ist schon in der Liste.`),
  removeMembers: (count) => (count === 1 ? '1 aus der Liste entfernen' : `${count} aus der Liste entfernen`),
  membersRemoved: (count) =>
    count === 1 ? '1 wurde aus der Liste entfernt.' : `${count} wurden aus der Liste entfernt.`,

  flows: {
    title: 'Fügt seine Mitglieder hinzu zu',
    none: 'Keine Kampagne und keine Kadenz erhält seine Mitglieder laufend.',
    active: 'aktiv',
    ended: 'beendet',
    added: (count, text) => `${text} ${plural(count, 'Person', 'Personen')} hinzugefügt`,
    lastRun: (when) => `zuletzt ${when}`,
    stop: 'Beenden',
    stopped: 'Es werden keine weiteren Mitglieder hinzugefügt.',
  },
  usingSegments: 'Verwendet von Segmenten',
  noSegments: 'Kein anderes Segment verwendet es.',
  refersTo: 'Seine Regel verwendet',
  targetTypes,

  useIn: { label: 'Verwenden', campaign: 'Zu einer Kampagne hinzufügen', cadence: 'In eine Kadenz aufnehmen' },
  saveFirst: 'Speichern Sie zuerst die Regel.',
  fixFirst: 'Korrigieren Sie zuerst die Regel.',
  discard: 'Änderungen verwerfen',
  duplicate: 'Duplizieren',
  copyOf: (name, number) => (number === 1 ? `Kopie von ${name}` : `Kopie ${number} von ${name}`),
  duplicated: (name) => `Das Segment ${name} wurde angelegt.`,
  sizeBefore: 'Das Segment hat jetzt ',
  sizeAfter: '.',
  sizeUnknown: 'Die Mitglieder konnten nicht gezählt werden.',
  enroll: {
    title: { campaign: 'Zu einer Kampagne hinzufügen', cadence: 'In eine Kadenz aufnehmen' },
    target: { campaign: 'Kampagne', cadence: 'Kadenz' },
    chooseTarget: { campaign: 'Kampagne wählen', cadence: 'Kadenz wählen' },
    mode: 'Wann',
    modes: {
      once: { label: 'Einmal', description: 'Die Mitglieder von jetzt.' },
      continuous: {
        label: 'Laufend',
        description: 'Die Mitglieder von jetzt und spätere innerhalb von 15 Minuten, jedes einmal.',
      },
    },
    add: 'Hinzufügen',
    addCount: (_, count, noun) => `${count} ${noun} hinzufügen`,
    startContinuous: 'Laufend hinzufügen',
    open: { campaign: 'Kampagne öffnen', cadence: 'Kadenz öffnen' },
    task: (segment, target) => `${segment} wird zu ${target} hinzugefügt`,
    stopped: 'Das Hinzufügen der Mitglieder wurde beendet.',
    started: (target) => `Die Mitglieder werden ab jetzt zu ${target} hinzugefügt.`,
    added: (count, text, target) =>
      count === 0
        ? `Niemand wurde zu ${target} hinzugefügt.`
        : `${text} ${plural(count, 'Person wurde', 'Personen wurden')} zu ${target} hinzugefügt.`,
    skipped: (count, text, reasons) => `${text} ${plural(count, 'wurde', 'wurden')} übersprungen: ${reasons}.`,
    skipReason: (reason) => skipReasons[reason],
  },
  fix: {
    title: 'In eine feste Liste umwandeln',
    text: 'Die Mitglieder von jetzt bleiben, und die Regel wählt keine anderen mehr aus. Eine feste Liste kann keine Regel mehr bekommen.',
    action: 'In feste Liste umwandeln',
    of: (name) => `${name} in eine feste Liste umwandeln`,
    warning:
      'Das kann nicht rückgängig gemacht werden. Duplizieren Sie das Segment zuerst, wenn Sie die Regel noch brauchen.',
    done: 'Das Segment ist jetzt eine feste Liste.',
    task: (name) => `Die Mitglieder von ${name} werden hinzugefügt`,
  },
  remove: {
    title: 'Löschen',
    hint: 'Nur ein Segment, das nicht verwendet wird, kann gelöscht werden. Datensätze und was Kampagnen hinzugefügt wurde, bleiben.',
    action: 'Segment löschen',
    of: (name) => `${name} löschen`,
    text: 'Es kann nicht wiederhergestellt werden. Datensätze und was Kampagnen und Kadenzen hinzugefügt wurde, bleiben.',
    used: (name) => `${name} wird verwendet`,
    usedText: 'Ändern oder beenden Sie zuerst:',
    done: (name) => `Das Segment ${name} wurde gelöscht.`,
  },
  problem: (code) => problems[code],
}
