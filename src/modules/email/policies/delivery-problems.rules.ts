import type { EmailCounts } from './email-counters.queries.ts'

export const observedDays = 7

const minEmails = 100
const maxBouncedPercent = 5
/** The rate above which large mail providers reject email. One complaint says little. */
const maxComplainedPercent = 0.3
const minComplaints = 2

export const hasDeliveryProblem = ({ emails, bounced, complained }: EmailCounts): boolean =>
  emails >= minEmails &&
  (bounced * 100 > emails * maxBouncedPercent ||
    (complained >= minComplaints && complained * 100 > emails * maxComplainedPercent))
