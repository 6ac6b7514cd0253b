import type { TextsOf } from './texts.ts'

const words = ['Kein', 'Ein', 'Zwei', 'Drei', 'Vier', 'Fünf', 'Sechs', 'Sieben', 'Acht', 'Neun', 'Zehn', 'Elf', 'Zwölf']

/** Small numbers are words in sentences. */
const countInWords = (count: number): string => words[count] ?? String(count)

export const homeTexts: TextsOf<'homeTexts'> = {
  title: 'Start',
  greetings: { morning: 'Guten Morgen', afternoon: 'Guten Tag', evening: 'Guten Abend' },
  greeting: (greeting, name) => `${greeting}, ${name}`,
  awaiting: (count, late) => {
    const leads = count > 1 ? 'Leads warten' : 'Lead wartet'
    const lateLeads = late === 1 ? ', einer ist überfällig' : `, ${countInWords(late).toLowerCase()} sind überfällig`
    return `${countInWords(count)} ${leads} auf eine erste Antwort${late > 0 ? lateLeads : ''}.`
  },
  late: (count) => `${countInWords(count)} ${count > 1 ? 'Leads sind' : 'Lead ist'} überfällig.`,
  tasksDue: (count) =>
    count > 1
      ? `${countInWords(count)} Aufgaben sind heute fällig.`
      : `${countInWords(count)}e Aufgabe ist heute fällig.`,
  closing: (count, isMore) =>
    `${countInWords(count)}${isMore ? ' oder mehr' : ''} ${count > 1 || isMore ? 'Deals sollen' : 'Deal soll'} in den nächsten 30 Tagen abgeschlossen werden.`,
  nothingWaits: 'Nichts wartet auf Sie.',
  start: 'Mit dem ersten beginnen',
  group: 'Start',
  figures: 'Ihre Zahlen',
  team: {
    figures: 'Zahlen des Teams',
    median: 'Median der ersten Antwort im Team',
    openLeads: 'Offene Leads des Teams',
    pipeline: 'Pipeline des Teams in diesem Quartal',
    won: 'Vom Team in diesem Quartal gewonnen',
  },
  median: 'Erste Antwort im Median',
  noMedian: 'Keine Antwort in den letzten 30 Tagen',
  firstMedian: 'Leads der letzten 30 Tage',
  faster: (percent) => `${percent} % schneller als in den 30 Tagen davor`,
  slower: (percent) => `${percent} % langsamer als in den 30 Tagen davor`,
  same: 'Wie in den 30 Tagen davor',
  openLeads: 'Offene Leads',
  awaitResponse: (count) =>
    count === 1 ? '1 wartet auf eine erste Antwort' : `${count} warten auf eine erste Antwort`,
  allAnswered: 'Alle haben eine erste Antwort',
  pipeline: 'Offene Pipeline',
  deals: (count) => (count === 1 ? '1 Deal' : `${count} Deals`),
  won: 'In diesem Quartal gewonnen',
  ofQuota: (percent, left) => `${percent} % des Ziels, ${left}`,
  weeksLeft: (weeks) => (weeks === 1 ? 'noch 1 Woche' : `noch ${weeks} Wochen`),
  nextUp: 'Als Nächstes',
  dueToday: (count) => `${count} heute fällig`,
  nothingDue: 'Nichts ist fällig',
  nothingDueText: 'Neue Leads und Aufgaben erscheinen hier, sobald sie auf Sie warten.',
  allTasks: 'Alle Aufgaben',
  waitingLeads: 'Alle, die warten',
  score: (score) => `Score ${score}`,
  left: (duration) => `noch ${duration}`,
  overdue: (duration) => `${duration} zu spät`,
  today: (time) => `Heute, ${time}`,
  tomorrow: 'Morgen',
  noDate: 'kein Datum',
  noSubject: 'Aufgabe',
  call: 'Anrufen',
  callPerson: (name) => `${name} anrufen`,
  done: 'Erledigt',
  completeTask: (task) => `Erledigt: ${task}`,
  completed: (task) => `„${task}“ ist erledigt.`,
  undo: 'Rückgängig machen',
  reading: 'Das lesen Kunden gerade',
  noVisits: 'Besuche von Kunden in Ihren Räumen erscheinen hier.',
  anonymous: 'Unbekannter Besucher',
  hotRoom: 'Viel Interesse',
  seconds: (seconds) => `${seconds} s`,
  closingTitle: 'Abschluss in 30 Tagen',
  nothingCloses: 'In den nächsten 30 Tagen soll kein Deal abgeschlossen werden.',
  allDeals: 'Alle Deals',
  daysOver: (days) => (days === 1 ? '1 Tag überfällig' : `${days} Tage überfällig`),
  audience: {
    campaigns: {
      title: 'Kampagnen dieser Woche',
      all: 'Alle Kampagnen',
      none: 'Hier erscheinen Ihre aktiven Kampagnen.',
    },
    cadences: {
      title: 'Sequenzen dieser Woche',
      all: 'Alle Sequenzen',
      none: 'Hier erscheinen Ihre laufenden Sequenzen.',
    },
  },
  responded: (count, text) => (count === 1 ? '1 hat geantwortet' : `${text} haben geantwortet`),
  added: (count, text) => (count === 1 ? '1 Person hinzugefügt' : `${text} Personen hinzugefügt`),
  people: (count, text) => (count === 1 ? '1 Person' : `${text} Personen`),
  active: 'Aktiv',
  live: 'aktiv',
  waiting: 'warten',
  pausedReasons: {
    bounces: 'Vom System pausiert: zu viele Rückläufer',
    restored: 'Pausiert, weil der Arbeitsbereich wiederhergestellt wurde',
    campaign: 'Mit ihrer Kampagne pausiert',
  },
  cadencesPaused: (count) =>
    count === 1 ? 'Eine Sequenz ist pausiert.' : `${countInWords(count)} Sequenzen sind pausiert.`,
  respondedThisWeek: (count, text) =>
    count === 1 ? 'Eine Person hat diese Woche geantwortet.' : `${text} Personen haben diese Woche geantwortet.`,
  empty: 'Der Arbeitsbereich hat noch keine Leads',
  emptyText:
    'Laden Sie Beispieldaten, um sich umzusehen, oder legen Sie Ihren ersten Lead an. Beispieldaten lassen sich jederzeit entfernen.',
  loadSample: 'Beispieldaten laden',
  createLead: 'Lead anlegen',
}
