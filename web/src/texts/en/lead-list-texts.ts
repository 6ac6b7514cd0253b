import { translate } from '../language.ts'

/** Texts of the list that its first rows do not need. */
export const leadListTexts = translate('leadListTexts', {
  figures: {
    label: 'Figures',
    late: 'over the response time',
    lateShort: 'late',
    awaiting: 'awaiting first response',
    awaitingShort: 'awaiting response',
    median: 'median response',
    medianShort: 'median',
    noMedian: 'no response yet',
    change: (percent: string) => `${percent} compared with the 30 days before`,
  },
  empty: {
    title: 'No leads yet',
    text: 'Add the first one. Leads from forms, imports and other systems appear here, too.',
    textReadOnly: 'Leads from forms, imports and other systems appear here.',
    queueTitle: 'Your queue is empty',
    queueText: 'No open lead is assigned to you.',
    unassignedTitle: 'Every lead has an owner',
    unassignedText: 'New leads without an owner appear here.',
    showUnassigned: 'Show unassigned leads',
    showAll: 'Show all leads',
    filteredTitle: 'No lead matches',
    filteredText: 'Remove a filter to see more.',
  },
})
