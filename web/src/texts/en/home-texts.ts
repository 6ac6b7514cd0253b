import { translate } from '../language.ts'

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve']

/** Small numbers are words in sentences. */
const countInWords = (count: number): string => words[count] ?? String(count)

export const homeTexts = translate('homeTexts', {
  title: 'Home',
  greetings: { morning: 'Good morning', afternoon: 'Good afternoon', evening: 'Good evening' },
  greeting: (greeting: string, name: string) => `${greeting}, ${name}`,
  awaiting: (count: number, late: number) => {
    const leads = count === 1 ? 'lead waits' : 'leads wait'
    const lateLeads = late === 1 ? ', one is late' : `, ${countInWords(late).toLowerCase()} are late`
    return `${countInWords(count)} ${leads} for a first response${late > 0 ? lateLeads : ''}.`
  },
  late: (count: number) => `${countInWords(count)} ${count === 1 ? 'lead is' : 'leads are'} late.`,
  tasksDue: (count: number) => `${countInWords(count)} ${count === 1 ? 'task is' : 'tasks are'} due today.`,
  closing: (count: number, isMore: boolean) =>
    `${countInWords(count)}${isMore ? ' or more' : ''} ${count === 1 ? 'deal closes' : 'deals close'} in the next 30 days.`,
  nothingWaits: 'Nothing waits for you.',
  start: 'Start with the first',
  group: 'Home',
  figures: 'Your figures',
  team: {
    figures: 'Figures of the team',
    median: 'Median response of the team',
    openLeads: 'Open leads of the team',
    pipeline: 'Team pipeline of this quarter',
    won: 'Won by the team this quarter',
  },
  median: 'Median first response',
  noMedian: 'No answer in the last 30 days',
  firstMedian: 'Leads of the last 30 days',
  faster: (percent: number) => `${percent} % faster than in the 30 days before`,
  slower: (percent: number) => `${percent} % slower than in the 30 days before`,
  same: 'The same as in the 30 days before',
  openLeads: 'Open leads',
  awaitResponse: (count: number) =>
    count === 1 ? '1 waits for a first response' : `${count} wait for a first response`,
  allAnswered: 'All have a first response',
  pipeline: 'Open pipeline',
  deals: (count: number) => (count === 1 ? '1 deal' : `${count} deals`),
  won: 'Won this quarter',
  ofQuota: (percent: number, left: string) => `${percent} % of quota, ${left}`,
  weeksLeft: (weeks: number) => (weeks === 1 ? '1 week left' : `${weeks} weeks left`),
  nextUp: 'Next up',
  dueToday: (count: number) => `${count} due today`,
  nothingDue: 'Nothing is due',
  nothingDueText: 'New leads and tasks appear here as soon as they wait for you.',
  waitingLeads: 'All that wait',
  allTasks: 'All tasks',
  score: (score: number) => `score ${score}`,
  left: (duration: string) => `${duration} left`,
  overdue: (duration: string) => `${duration} late`,
  today: (time: string) => `Today, ${time}`,
  tomorrow: 'Tomorrow',
  noDate: 'no date',
  noSubject: 'Task',
  call: 'Call',
  callPerson: (name: string) => `Call ${name}`,
  done: 'Done',
  completeTask: (task: string) => `Done: ${task}`,
  completed: (task: string) => `“${task}” is done.`,
  undo: 'Undo',
  reading: 'Buyers are reading',
  noVisits: 'Visits of buyers to your rooms appear here.',
  anonymous: 'Anonymous visitor',
  hotRoom: 'Hot room',
  seconds: (seconds: number) => `${seconds} s`,
  closingTitle: 'Closing in 30 days',
  nothingCloses: 'No deal closes in the next 30 days.',
  allDeals: 'All deals',
  daysOver: (days: number) => (days === 1 ? '1 day over' : `${days} days over`),
  audience: {
    campaigns: {
      title: 'Campaigns this week',
      all: 'All campaigns',
      none: 'Your active campaigns appear here.',
    },
    cadences: {
      title: 'Cadences this week',
      all: 'All cadences',
      none: 'Your running cadences appear here.',
    },
  },
  responded: (_count: number, text: string) => `${text} responded`,
  added: (count: number, text: string) => (count === 1 ? '1 person added' : `${text} people added`),
  people: (count: number, text: string) => (count === 1 ? '1 person' : `${text} people`),
  active: 'Active',
  live: 'live',
  waiting: 'wait',
  pausedReasons: {
    bounces: 'Paused by the system: too many bounces',
    restored: 'Paused because the workspace was restored',
    campaign: 'Paused with its campaign',
  },
  cadencesPaused: (count: number) => `${countInWords(count)} ${count === 1 ? 'cadence is' : 'cadences are'} paused.`,
  respondedThisWeek: (count: number, text: string) =>
    count === 1 ? 'One person responded this week.' : `${text} people responded this week.`,
  empty: 'The workspace has no leads yet',
  emptyText: 'Load sample data to look around, or create your first lead. Sample data can be removed at any time.',
  loadSample: 'Load sample data',
  createLead: 'Create a lead',
})
