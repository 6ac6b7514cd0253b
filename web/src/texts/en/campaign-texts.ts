import { translate } from '../language.ts'

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

const problems: Readonly<Record<string, string>> = {
  already_exists: 'Another campaign has this name or this UTM campaign.',
  campaign_archived: 'An archived campaign cannot be changed.',
  campaign_closed: 'The campaign has ended and takes no more people.',
  campaign_has_members: 'The campaign has people. Archive it instead.',
  campaign_has_closed_deals: 'The campaign has a share of closed deals. Archive it instead.',
  member_status_in_use: 'People have a status that you removed. Change their status first.',
  invalid_transition: 'The campaign has another status by now. Load it again.',
}

/** The pages of one campaign; its parts have texts of their own. */
export const campaignTexts = translate('campaignTexts', {
  title: 'Campaigns',
  area: 'campaigns',
  group: 'Campaign',
  campaign: 'The campaign',
  notFound: 'This campaign does not exist',
  tabList: 'Parts of the campaign',
  tabs: { results: 'Results', people: 'People', settings: 'Settings' },
  since: (day: string) => `since ${day}`,
  until: (day: string) => `until ${day}`,
  problem: (code: string): string | undefined => problems[code],
  actions: {
    add: 'Add people',
    activate: 'Activate',
    schedule: 'Schedule',
    pause: 'Pause',
    resume: 'Resume',
    reactivate: 'Activate again',
    complete: 'Complete',
    cancel: 'Cancel the campaign',
    archive: 'Archive',
    duplicate: 'Duplicate',
    remove: 'Delete',
  },
  changed: {
    active: (name: string) => `${name} is active.`,
    scheduled: (name: string) => `${name} is scheduled.`,
    paused: (name: string) => `${name} is paused.`,
    completed: (name: string) => `${name} is completed.`,
    cancelled: (name: string) => `${name} is canceled.`,
    archived: (name: string) => `${name} is archived.`,
    draft: (name: string) => `${name} is a draft.`,
  },
  undo: 'Undo',
  overText: 'The last day is over. Change it in the settings first.',
  startText: 'The first day must be in the future. Change it in the settings first.',
  toSettings: 'Settings',
  deleted: (name: string) => `${name} was deleted.`,
  end: {
    completeTitle: (name: string) => `Complete ${name}`,
    cancelTitle: (name: string) => `Cancel ${name}`,
    archiveTitle: (name: string) => `Archive ${name}`,
    deleteTitle: (name: string) => `Delete ${name}`,
    closed: (count: number, text: string) =>
      count === 0
        ? 'No more people can be added afterwards.'
        : `${text} ${plural(count, 'person stays', 'people stay')} in the campaign and in its results. No more people can be added afterwards.`,
    archived: (count: number, text: string) =>
      count === 0
        ? 'It can then no longer be changed, and its name is free again.'
        : `${text} ${plural(count, 'person stays', 'people stay')} in its results. It can then no longer be changed, and its name is free again. This cannot be undone.`,
    deleted: (count: number, text: string) =>
      count === 0
        ? 'This cannot be undone.'
        : `${text} ${plural(count, 'person is', 'people are')} removed from the draft. The records of the people stay. This cannot be undone.`,
  },
})
