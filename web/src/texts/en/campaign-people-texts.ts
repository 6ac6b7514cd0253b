import { translate } from '../language.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

const reasons: Readonly<Record<string, string>> = {
  already_member: 'were in the campaign already',
  not_found: 'were deleted',
  opted_out: 'have opted out',
}

export const campaignPeopleTexts = translate('campaignPeopleTexts', {
  title: 'People',
  list: 'People of the campaign',
  area: 'the people of campaigns',
  create: 'Add people',
  search: 'Search people',
  selectAll: 'Select all loaded people',
  views: { all: 'All' },
  columns: {
    name: 'Name',
    company: 'Company',
    status: 'Status',
    kind: 'Kind',
    responded: 'Responded',
    added: 'Added',
    via: 'Added by',
  },
  filters: { status: 'Status', responded: 'Response', added: 'Added', respondedOn: 'Responded', q: 'Search' },
  sorts: { '-first_touched_at': 'Latest added first', first_touched_at: 'First added first' },
  sortCommands: { '-first_touched_at': 'Sort by day of addition' },
  hasResponded: { yes: 'has responded', no: 'has not responded' },
  kinds: { lead: 'Lead', contact: 'Contact' },
  vias: {
    manual: 'User',
    segment: 'Segment',
    cadence: 'Cadence',
    utm: 'Link',
    import: 'Import',
    api: 'API',
  },
  noName: 'No name',
  empty: {
    filteredTitle: 'No person matches',
    filteredText: 'Remove a filter to see more.',
  },
  bulk: {
    label: 'Selected people',
    selected: (count: number, text: string) => `${text} ${plural(count, 'person', 'people')} selected`,
    setStatus: 'Set status',
    remove: 'Remove',
  },
  statusTitle: (count: number, text: string, status: string) =>
    `Set ${text} ${plural(count, 'person', 'people')} to ${status}`,
  statusText: 'A response stays counted, also after another status.',
  statusSubmit: 'Set status',
  removeTitle: (count: number, text: string) => `Remove ${text} ${plural(count, 'person', 'people')}`,
  removeText:
    'They no longer count in the figures of this campaign. Their records stay, and shares of closed deals do not change.',
  removeSubmit: 'Remove',
  statusSet: (count: number, text: string, status: string) =>
    `${text} ${plural(count, 'person is', 'people are')} now ${status}.`,
  unchanged: (count: number, text: string) => `${text} ${plural(count, 'was', 'were')} before.`,
  failures: (count: number, text: string) =>
    `${text} ${plural(count, 'was', 'were')} not changed, because they were removed.`,
  removed: (count: number, text: string) => `${text} ${plural(count, 'person was', 'people were')} removed.`,
  tooMany: (text: string) => `At most ${text} people can be changed at once. Add a filter.`,
  setTo: (status: string) => `Set status: ${status}`,
  undo: 'Undo',
  tasks: {
    status: (text: string, status: string) => `Setting ${text} people to ${status}`,
    remove: (text: string) => `Removing ${text} people`,
    add: (text: string, campaign: string) => `Adding ${text} people to ${campaign}`,
    segment: (segment: string, campaign: string) => `Adding ${segment} to ${campaign}`,
    failed: 'The task failed.',
    canceled: 'The task was canceled. People that were already changed stay changed.',
  },
  add: {
    title: (campaign: string) => `Add people to ${campaign}`,
    ways: 'How to find people',
    way: { segment: 'From a segment', search: 'By search' },
    segment: 'Segment',
    chooseSegment: 'Choose a segment.',
    invalidSegment: 'The rule of this segment is not valid, so it has no members.',
    counted: (count: number, text: string, isMore: boolean) =>
      `${isMore ? 'More than ' : ''}${text} ${plural(count, 'person is', 'people are')} in it now. Who is in the campaign already stays as they are.`,
    notCounted: 'Its members have not been counted yet.',
    mode: 'How often',
    modes: { once: 'Once', continuous: 'Continuously' },
    modeTexts: {
      once: 'Who is in the segment now.',
      continuous: 'Also who comes into the segment later, within 15 minutes.',
    },
    status: 'First status',
    people: 'Lead or contact',
    chosen: 'Chosen people',
    removeChosen: (name: string) => `Do not add ${name}`,
    choosePeople: 'Choose at least one person.',
    submit: 'Add people',
    submitCount: (count: number, text: string) => `Add ${text} ${plural(count, 'person', 'people')}`,
    submitMore: (text: string) => `Add more than ${text} people`,
    added: (count: number, text: string) => `${text} ${plural(count, 'person was', 'people were')} added.`,
    already: (count: number, text: string) => `${text} ${plural(count, 'was', 'were')} in the campaign already.`,
    failed: (_: number, text: string) => `${text} could not be added.`,
    skipped: (text: string, code: string) => `${text} ${reasons[code] ?? 'could not be added'}.`,
    continuous: (segment: string) => `${segment} is added continuously.`,
    show: 'Show people',
  },
})
