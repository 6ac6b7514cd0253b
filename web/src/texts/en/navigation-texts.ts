import { translate } from '../language.ts'

export const navigationTexts = translate('navigationTexts', {
  pin: 'Pin',
  unpin: 'Unpin',
  moveUp: 'Move up',
  moveDown: 'Move down',
  pinned: (page: string) => `“${page}” is pinned.`,
  unpinned: (page: string) => `“${page}” is no longer pinned.`,
  tooManyPins: (count: number) => `At most ${count} pages can be pinned. Unpin one first.`,
  openTab: 'Open in a new tab',
  welcome: (workspace: string) => `Welcome to ${workspace}`,
  question: 'What do you work on most?',
  explanation:
    'Your choice opens some groups of the navigation and decides what Home shows first. Everything else stays one click away.',
  focuses: {
    sell: 'Sell',
    market: 'Market',
    enable: 'Enable',
    train: 'Train and coach',
    support: 'Support',
    operate: 'Run the workspace',
  },
  descriptions: {
    sell: 'Leads, deals, accounts, rooms',
    market: 'Campaigns and cadences',
    enable: 'Content, rooms, training',
    train: 'Learning, coaching, pitch',
    support: 'Community, experts, surveys',
    operate: 'People, settings, data',
  },
  homeFirst: 'Home shows first',
  homeOf: {
    market: 'Your campaigns and cadences of the week, then what waits for you',
    others: 'Leads and tasks that wait for you, then deals that close soon',
  },
  openGroups: 'Open in the navigation',
  otherGroups: (names: string, count: number) =>
    count === 1 ? `${names}. The other group is one row` : `${names}. The other ${count} groups are one row each`,
  later: 'Change it later in Settings, Appearance.',
  notNow: 'Not now',
  continue: 'Continue',
  group: 'Focus',
  choose: (focus: string) => `Choose ${focus}`,
  focus: 'What you work on',
  focusHint: 'Opens groups of the navigation and decides what Home shows first, on every device.',
})
