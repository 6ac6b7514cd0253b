import { translate } from '../language.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

const problems: Readonly<Record<string, string>> = {
  already_exists: 'Another segment of this kind has this name.',
  segment_in_use: 'Something uses this segment by now. Close this and look at “Used by”.',
  segment_invalid: 'The rule of this segment has errors. Fix it first.',
  limit_reached: 'The workspace has 1,000 segments. Delete one first.',
  version_mismatch: 'Another user changed this segment. Look at it again.',
  not_active: 'The cadence or campaign is not active. Activate it first.',
}

const skipReasons: Readonly<Record<string, string>> = {
  already_member: 'already there',
  already_enrolled: 'already there',
  not_found: 'deleted',
  opted_out: 'opted out',
  not_opted_in: 'without consent',
  no_email: 'without an email address',
  bounced: 'with a bounced address',
  lead_converted: 'converted',
  lead_unqualified: 'unqualified',
  processing_restricted: 'restricted',
  reenroll_too_early: 'there not long ago',
  in_other_cadence: 'in other cadences',
  no_sender: 'without a sender',
}

const targetTypes: Readonly<Record<string, string>> = {
  campaign: 'Campaign',
  cadence: 'Cadence',
  segment: 'Segment',
  survey: 'Survey',
}

export const segmentTexts = translate('segmentTexts', {
  title: 'Segments',
  segment: 'Segment',
  area: 'segments',
  create: 'New segment',
  save: 'Save the segment',
  close: 'Close',
  parts: 'Parts of the segment',
  notFound: 'This segment does not exist',
  notFoundText: 'The link may be wrong, or the segment was deleted.',
  noName: 'No name',
  deletedRecord: 'Deleted record',
  types: { lead: 'Leads', contact: 'Contacts', account: 'Accounts' },
  nouns: {
    lead: (count: number) => plural(count, 'lead', 'leads'),
    contact: (count: number) => plural(count, 'contact', 'contacts'),
    account: (count: number) => plural(count, 'account', 'accounts'),
  },
  kinds: { dynamic: 'Updates itself', static: 'Fixed list' },
  states: { invalid: 'Has errors' },
  tabs: { rule: 'Rule', uses: 'Used by', settings: 'Settings' },
  recordTabs: { lead: 'People', contact: 'People', account: 'Accounts' },
  changed: (when: string) => `changed ${when}`,
  fields: {
    name: 'Name',
    description: 'Description',
    owner: 'Owner',
    type: 'Records',
    kind: 'Members',
    created: 'Created',
  },
  list: {
    title: 'Segments',
    list: 'Segments',
    area: 'segments',
    create: 'New segment',
    search: 'Search segments',
    selectAll: 'Select all loaded segments',
    views: { all: 'All', leads: 'Leads', contacts: 'Contacts', accounts: 'Accounts' },
    columns: {
      name: 'Name',
      type: 'Records',
      members: 'Members',
      state: 'State',
      owner: 'Owner',
      changed: 'Changed',
      created: 'Created',
    },
    filters: { type: 'Records', kind: 'Members', state: 'State', q: 'Search' },
    sorts: { name: 'Name', '-name': 'Name, last first' },
    sortCommands: { name: 'Sort by name', '-name': 'Sort by name, last first' },
  },
  filterChoices: { ok: 'Without errors', invalid: 'With errors' },
  notCounted: 'Not counted',
  empty: {
    title: 'No segments yet',
    text: 'A segment is everyone who matches a rule, for campaigns and cadences.',
    ofType: {
      lead: 'No segments of leads yet',
      contact: 'No segments of contacts yet',
      account: 'No segments of accounts yet',
    },
    filtered: 'No segment matches',
    filteredText: 'Remove a filter to see more.',
  },

  count: 'Count',
  countedAt: (time: string) => `counted ${time}`,
  countedIn: (seconds: string) => `in ${seconds} s`,
  countedTo: (count: string) => `counted to ${count} only`,
  atLeast: 'at least; counting took too long',
  beforeChanges: (changes: number) =>
    changes === 1 ? 'before your last change' : `before your last ${changes} changes`,
  cappedText: 'The number stops here while you edit, so that the page stays fast.',
  countAll: 'Count all',
  countNow: 'Count',
  pausedFor: (seconds: number) => `Counting while you edit starts again in ${seconds} s.`,
  countFailed: 'The count could not be loaded. Your rule is kept.',
  fixToCount: 'Fix the marked conditions to count.',
  completeToCount: 'Complete a condition to count.',
  withoutIncomplete: (count: number) =>
    count === 1
      ? 'Counted without the condition that is not complete.'
      : `Counted without ${count} conditions that are not complete.`,
  inWords: 'In words',
  samples: 'Newest',
  newest: (shown: number, total: string) => `Newest ${shown} of ${total}`,
  all: { lead: 'All people', contact: 'All people', account: 'All accounts' },
  zero: {
    noneOfAll: {
      lead: 'No lead matches all of them. Change “All” to “Any”, or remove one.',
      contact: 'No contact matches all of them. Change “All” to “Any”, or remove one.',
      account: 'No account matches all of them. Change “All” to “Any”, or remove one.',
    },
    emptyCondition: (count: number) =>
      count === 1
        ? 'One condition matches no record. Change or remove it.'
        : `${count} conditions match no record. Change or remove them.`,
    change: 'Change a value or remove a condition.',
  },
  begin: 'Start with a condition. Number and names appear while you choose.',
  nameRequired: 'Enter a name.',
  ruleRequired: 'Add a condition first.',
  created: (name: string) => `The segment ${name} was created.`,
  invalidTitle: 'The rule has errors',
  invalidText: (count: number) =>
    `${count === 1 ? '1 condition' : `${count} conditions`} must be fixed. Until then the segment is empty.`,
  problemsText: (count: number) =>
    `${count === 1 ? '1 condition' : `${count} conditions`} must be fixed before you save.`,
  invalidMembers: 'The segment is empty until its rule is fixed.',
  notYours: 'Only managers and the owner change this segment. Duplicate it to try something.',

  memberColumns: { name: 'Name', company: 'Company', email: 'Email', created: 'Created' },
  noMembers: { lead: 'No leads', contact: 'No contacts', account: 'No accounts' },
  noMembersStatic: 'Add the first record above.',
  noMembersDynamic: 'Nothing matches the saved rule now.',
  addMembers: { lead: 'Add leads', contact: 'Add contacts', account: 'Add accounts' },
  memberAdded: (name: string, isNew: boolean) => (isNew ? `${name} was added.` : `${name} is already in the list.`),
  removeMembers: (count: number) => (count === 1 ? 'Remove 1 from the list' : `Remove ${count} from the list`),
  membersRemoved: (count: number) =>
    count === 1 ? '1 was removed from the list.' : `${count} were removed from the list.`,

  flows: {
    title: 'Adds its members to',
    none: 'No campaign and no cadence gets its members continuously.',
    active: 'active',
    ended: 'stopped',
    added: (count: number, text: string) => `${text} ${plural(count, 'person', 'people')} added`,
    lastRun: (when: string) => `last run ${when}`,
    stop: 'Stop',
    stopped: 'No further members are added.',
  },
  usingSegments: 'Used by segments',
  noSegments: 'No other segment uses it.',
  refersTo: 'Its rule refers to',
  targetTypes,

  useIn: { label: 'Use in', campaign: 'Add to a campaign', cadence: 'Enroll in a cadence' },
  saveFirst: 'Save the rule first.',
  fixFirst: 'Fix the rule first.',
  discard: 'Discard changes',
  duplicate: 'Duplicate',
  copyOf: (name: string, number: number) => (number === 1 ? `Copy of ${name}` : `Copy ${number} of ${name}`),
  duplicated: (name: string) => `The segment ${name} was created.`,
  sizeBefore: 'The segment has ',
  sizeAfter: ' now.',
  sizeUnknown: 'The members could not be counted.',
  enroll: {
    title: { campaign: 'Add to a campaign', cadence: 'Enroll in a cadence' },
    target: { campaign: 'Campaign', cadence: 'Cadence' },
    chooseTarget: { campaign: 'Choose a campaign', cadence: 'Choose a cadence' },
    mode: 'When',
    modes: {
      once: { label: 'Once', description: 'The members of now.' },
      continuous: {
        label: 'Continuously',
        description: 'The members of now, and later ones within 15 minutes, each of them once.',
      },
    },
    add: 'Add',
    addCount: (_: number, count: string, noun: string) => `Add ${count} ${noun}`,
    startContinuous: 'Start to add',
    open: { campaign: 'Open the campaign', cadence: 'Open the cadence' },
    task: (segment: string, target: string) => `Adding ${segment} to ${target}`,
    stopped: 'Adding the members has stopped.',
    started: (target: string) => `The members are added to ${target} from now on.`,
    added: (count: number, text: string, target: string) =>
      count === 0
        ? `No one was added to ${target}.`
        : `${text} ${plural(count, 'person was', 'people were')} added to ${target}.`,
    skipped: (count: number, text: string, reasons: string) =>
      `${text} ${plural(count, 'was', 'were')} skipped: ${reasons}.`,
    skipReason: (reason: string): string | undefined => skipReasons[reason],
  },
  fix: {
    title: 'Fixed list',
    text: 'The members of now stay, and the rule selects no others. A fixed list cannot get a rule again.',
    action: 'Make it a fixed list',
    of: (name: string) => `Make ${name} a fixed list`,
    warning: 'This cannot be undone. Duplicate the segment first if you still need its rule.',
    done: 'The segment is a fixed list now.',
    task: (name: string) => `Adding the members of ${name}`,
  },
  remove: {
    title: 'Delete',
    hint: 'Only a segment that nothing uses can be deleted. Records and what was added to campaigns stay.',
    action: 'Delete the segment',
    of: (name: string) => `Delete ${name}`,
    text: 'It cannot be restored. Records and what was added to campaigns and cadences stay.',
    used: (name: string) => `${name} is used`,
    usedText: 'Change or stop these first:',
    done: (name: string) => `The segment ${name} was deleted.`,
  },
  problem: (code: string): string | undefined => problems[code],
})
