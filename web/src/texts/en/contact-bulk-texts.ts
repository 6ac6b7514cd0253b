import { translate } from '../language.ts'

const contacts = (count: number, text: string) => `${text} ${count === 1 ? 'contact' : 'contacts'}`

export const contactBulkTexts = translate('contactBulkTexts', {
  label: 'Selected contacts',
  selected: (count: number, text: string) => `${contacts(count, text)} selected`,
  assign: 'Assign',
  assignTitle: (count: number, text: string) => `Assign ${contacts(count, text)} to`,
  tags: 'Tags',
  changeTags: 'Change the tags of the selected contacts',
  addTags: 'Add tags',
  removeTags: 'Remove tags',
  tagsHint: 'Several tags are separated by commas.',
  addTo: 'Add to',
  addSelected: 'Add to a campaign or a cadence',
  campaign: 'Campaign',
  cadence: 'Cadence',
  campaigns: { search: 'Search campaigns', part: 'The campaigns', none: 'No campaign matches.' },
  cadences: { search: 'Search active cadences', part: 'The cadences', none: 'No active cadence matches.' },
  optOut: 'Opt out',
  optOutWarning:
    'They get no marketing email anymore, also as leads with the same address. It can only be taken back with the consent of the person.',
  remove: 'Delete',
  done: {
    assign: (count: number, text: string) => `${contacts(count, text)} assigned.`,
    add_tags: (count: number, text: string) => `Tags of ${contacts(count, text)} added.`,
    remove_tags: (count: number, text: string) => `Tags of ${contacts(count, text)} removed.`,
    opt_out: (count: number, text: string) => `${contacts(count, text)} opted out.`,
    add_to_campaign: (count: number, text: string) => `${contacts(count, text)} added to the campaign.`,
    enroll_cadence: (count: number, text: string) => `${contacts(count, text)} enrolled in the cadence.`,
    delete: (count: number, text: string) => `${contacts(count, text)} deleted.`,
    restore: (count: number, text: string) => `${contacts(count, text)} restored.`,
  },
  failedTitle: (failed: string, total: string) => `${failed} of ${total} contacts were not changed`,
  selectFailed: 'Select these contacts',
  changedText: (before: string, now: string) =>
    `${before} contacts matched the filters when you selected them, now ${now} contacts match.`,
  tasks: {
    assign: (total: string) => `Assigning ${total} contacts`,
    add_tags: (total: string) => `Adding tags to ${total} contacts`,
    remove_tags: (total: string) => `Removing tags from ${total} contacts`,
    opt_out: (total: string) => `Opting out ${total} contacts`,
    add_to_campaign: (total: string) => `Adding ${total} contacts to a campaign`,
    enroll_cadence: (total: string) => `Enrolling ${total} contacts in a cadence`,
    delete: (total: string) => `Deleting ${total} contacts`,
    restore: (total: string) => `Restoring ${total} contacts`,
  },
  taskEnded: {
    failed: 'The change of the contacts has failed.',
    cancelled: 'The change of the contacts was canceled.',
  },
  taskFailures: (count: number, text: string) =>
    `${contacts(count, text)} ${count === 1 ? 'was' : 'were'} not changed.`,
  confirm: {
    assign: (count: number, text: string, owner: string) => `Assign ${contacts(count, text)} to ${owner}`,
    add_tags: (count: number, text: string, tags: string) => `Add ${tags} to ${contacts(count, text)}`,
    remove_tags: (count: number, text: string, tags: string) => `Remove ${tags} from ${contacts(count, text)}`,
    opt_out: (count: number, text: string) => `Opt out ${contacts(count, text)}`,
    add_to_campaign: (count: number, text: string, name: string) => `Add ${contacts(count, text)} to ${name}`,
    enroll_cadence: (count: number, text: string, name: string) => `Enroll ${contacts(count, text)} in ${name}`,
    delete: (count: number, text: string) => `Delete ${contacts(count, text)}`,
    restore: (count: number, text: string) => `Restore ${contacts(count, text)}`,
  },
  confirmSmall: 'All of these contacts are changed at once.',
  restoring: (count: number, text: string) => `Restoring ${contacts(count, text)}`,
  restored: (restored: number, restoredText: string, skipped: number, skippedText: string) => {
    const done = `${contacts(restored, restoredText)} restored.`
    if (skipped === 0) return done
    return skipped === 1
      ? `${done} 1 contact was skipped because it could not be restored or was changed since.`
      : `${done} ${contacts(skipped, skippedText)} were skipped because they could not be restored or were changed since.`
  },
})
