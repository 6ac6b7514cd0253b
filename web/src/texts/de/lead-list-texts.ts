import type { TextsOf } from './texts.ts'

export const leadListTexts: TextsOf<'leadListTexts'> = {
  figures: {
    label: 'Kennzahlen',
    late: 'über der Antwortzeit',
    lateShort: 'überfällig',
    awaiting: 'ohne erste Antwort',
    awaitingShort: 'ohne Antwort',
    median: 'Antwortzeit im Median',
    medianShort: 'im Median',
    noMedian: 'noch keine Antwort',
    change: (percent) => `${percent} gegenüber den 30 Tagen davor`,
  },
  empty: {
    title: 'Noch keine Leads',
    text: 'Legen Sie den ersten an. Auch Leads aus Formularen, Importen und anderen Systemen erscheinen hier.',
    textReadOnly: 'Leads aus Formularen, Importen und anderen Systemen erscheinen hier.',
    queueTitle: 'Sie haben keine offenen Leads',
    queueText: 'Ihnen ist kein offener Lead zugewiesen.',
    unassignedTitle: 'Jeder Lead ist zugewiesen',
    unassignedText: 'Neue Leads, für die niemand zuständig ist, erscheinen hier.',
    showUnassigned: 'Nicht zugewiesene Leads zeigen',
    showAll: 'Alle Leads zeigen',
    filteredTitle: 'Kein Lead passt',
    filteredText: 'Entfernen Sie einen Filter, um mehr zu sehen.',
  },
}
