import type { TextsOf } from './texts.ts'

export const navigationTexts: TextsOf<'navigationTexts'> = {
  pin: 'Anheften',
  unpin: 'Lösen',
  moveUp: 'Nach oben',
  moveDown: 'Nach unten',
  pinned: (page) => `„${page}“ ist angeheftet.`,
  unpinned: (page) => `„${page}“ ist nicht mehr angeheftet.`,
  tooManyPins: (count) => `Höchstens ${count} Seiten können angeheftet sein. Lösen Sie zuerst eine.`,
  openTab: 'In neuem Tab öffnen',
  welcome: (workspace) => `Willkommen bei ${workspace}`,
  question: 'Woran arbeiten Sie am meisten?',
  explanation:
    'Ihre Wahl öffnet einige Gruppen der Navigation und bestimmt, was die Startseite zuerst zeigt. Alles andere bleibt einen Klick entfernt.',
  focuses: {
    sell: 'Verkaufen',
    market: 'Vermarkten',
    enable: 'Unterstützen',
    train: 'Schulen und coachen',
    support: 'Betreuen',
    operate: 'Arbeitsbereich verwalten',
  },
  descriptions: {
    sell: 'Leads, Deals, Firmen, Räume',
    market: 'Kampagnen und Sequenzen',
    enable: 'Inhalte, Räume, Schulungen',
    train: 'Lernen, Coaching, Pitch',
    support: 'Community, Experten, Umfragen',
    operate: 'Personen, Einstellungen, Daten',
  },
  homeFirst: 'Die Startseite zeigt zuerst',
  homeOf: {
    market: 'Ihre Kampagnen und Sequenzen der Woche, danach, was auf Sie wartet',
    others: 'Leads und Aufgaben, die auf Sie warten, danach Deals, die bald abgeschlossen werden',
  },
  openGroups: 'In der Navigation geöffnet',
  otherGroups: (names, count) =>
    count === 1
      ? `${names}. Die andere Gruppe ist eine Zeile`
      : `${names}. Die anderen ${count} Gruppen sind je eine Zeile`,
  later: 'Sie können die Wahl später unter Einstellungen, Darstellung ändern.',
  notNow: 'Nicht jetzt',
  continue: 'Weiter',
  group: 'Schwerpunkt',
  choose: (focus) => `${focus} wählen`,
  focus: 'Ihr Schwerpunkt',
  focusHint: 'Öffnet Gruppen der Navigation und bestimmt auf jedem Gerät, was die Startseite zuerst zeigt.',
}
