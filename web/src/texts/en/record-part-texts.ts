import { translate } from '../language.ts'

/** Texts of the parts that records of several kinds have. */
export const recordPartTexts = translate('recordPartTexts', {
  noOwner: 'No owner',
  assign: 'Assign',
  changeOwner: 'Change the owner',
  doNotCall: 'Do not call',
  emailStatuses: { unsubscribed: 'Unsubscribed', bounced: 'Email bounced', complained: 'Complained about email' },
  restricted: 'Processing restricted',
  change: (from: string, to: string) => `from ${from} to ${to}`,
  changeTo: (to: string) => `to ${to}`,
  campaigns: {
    part: 'Campaigns',
    none: 'In no campaign yet.',
    responded: 'Responded',
    added: (when: string) => `added ${when}`,
  },
  suggestions: {
    title: 'Found values',
    part: 'The found values',
    none: 'No provider has found other values.',
    now: 'now',
    accept: 'Accept',
    reject: 'Reject',
    acceptOf: (field: string) => `Accept the value of ${field}`,
    rejectOf: (field: string) => `Reject the value of ${field}`,
    accepted: (field: string) => `${field} was changed.`,
    rejected: 'The value was rejected.',
  },
})
