import { translate } from '../language.ts'

export const senderTexts = translate('senderTexts', {
  text: 'What applies when cadences send emails and create tasks in your name.',
  part: 'The settings of the sender',
  card: 'Emails in your name',
  signature: 'Signature',
  signatureHint: 'The value “Signature of the sender” in the texts of cadences.',
  limit: 'Emails a day at most',
  limitHint: (limit: string) => `Empty for the limit of the workspace, ${limit} emails a day.`,
  away: 'Absence',
  awayText:
    'Nothing is sent and no task is created in your name on these days. What is due then follows on the first day after.',
  awayFrom: 'First day',
  awayTo: 'Last day',
  isAway: (from: string, to: string) => `You are away from ${from} to ${to}.`,
  clearAway: 'Not away',
  others: 'Colleagues',
  othersMayEnroll: 'Other users may enroll people with me as the sender',
  othersHint: 'Managers, admins and leads of your teams always may.',
  save: 'Save sender settings',
  both: 'Enter the first and the last day.',
  order: 'The last day must not be before the first one.',
})
