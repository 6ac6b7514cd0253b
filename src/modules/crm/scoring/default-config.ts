import type { EngagementRule, FitRule, ScoringConfig } from './scoring.schemas.ts'
import type { Signal } from './signals.rules.ts'

/** Words in a title that say how much somebody has to say. */
export const leaders = ['ceo', 'cto', 'cfo', 'coo', 'cmo', 'cro', 'chief', 'founder', 'owner', 'president', 'vp']
export const heads = ['head', 'director', 'manager', 'lead']
export const outsiders = ['student', 'intern', 'retired']

type Gain = [group: string, points: number]

const titled = (key: string, label: string, words: string[], [group, points]: Gain): FitRule => ({
  ...{ key, label, group, points },
  when: { field: 'title', op: 'has_any_word', value: words },
})
const known = (field: string, label: string, [group, points]: Gain): FitRule => ({
  ...{ key: `${field}_known`, label, group, points },
  when: { field, op: 'is_set' },
})
const counted = (signal: Signal, label: string, max_count: number, [group, points]: Gain): EngagementRule => ({
  ...{ key: signal, label, group, signal, points, max_count },
})

/** The rules a workspace begins with: version 0, until it writes its own. */
export const defaultConfig: ScoringConfig = {
  grade_thresholds: { a: 70, b: 40 },
  weights: { fit: 0.5, engagement: 0.5 },
  fit: {
    rules: [
      titled('leader_title', 'Leads the company', leaders, ['person', 30]),
      titled('head_title', 'Leads a team', heads, ['person', 20]),
      {
        ...{ key: 'business_email', label: 'Business e-mail address', group: 'person', points: 15 },
        when: { field: 'email_kind', op: 'eq', value: 'business' },
      },
      known('phone', 'Phone number known', ['person', 5]),
      known('company', 'Company known', ['company', 10]),
      known('industry', 'Industry known', ['company', 10]),
      {
        ...{ key: 'mid_size', label: '50 to 999 employees', group: 'company', points: 20 },
        when: { field: 'employee_count', op: 'between', value: [50, 999] },
      },
      {
        ...{ key: 'large_size', label: '1,000 employees or more', group: 'company', points: 30 },
        when: { field: 'employee_count', op: 'gte', value: 1_000 },
      },
      titled('outsider_title', 'Student, intern or retired', outsiders, ['negative', -20]),
      {
        ...{ key: 'free_email', label: 'Free e-mail address', group: 'negative', points: -10 },
        when: { field: 'email_kind', op: 'eq', value: 'free' },
      },
    ],
    group_caps: { person: 50, company: 50 },
  },
  engagement: {
    half_life_days: 14,
    window_days: 90,
    rules: [
      counted('meeting_held', 'Met with us', 2, ['intent', 30]),
      counted('form_submitted', 'Submitted a form', 2, ['intent', 25]),
      counted('email_replied', 'Replied to an e-mail', 3, ['intent', 20]),
      counted('call_connected', 'Answered a call', 3, ['intent', 15]),
      counted('campaign_responded', 'Responded to a campaign', 3, ['interest', 10]),
      counted('event_attended', 'Attended an event', 3, ['interest', 10]),
      counted('product_used', 'Used the product', 3, ['interest', 10]),
      counted('email_clicked', 'Clicked a link in an e-mail', 6, ['interest', 5]),
      counted('content_viewed', 'Looked at content', 5, ['interest', 3]),
      counted('page_viewed', 'Visited a page', 10, ['interest', 2]),
      counted('email_opened', 'Opened an e-mail', 5, ['interest', 1]),
      counted('unsubscribed', 'Does not want our e-mails', 1, ['negative', -30]),
      counted('email_bounced', 'E-mails come back', 1, ['negative', -20]),
    ],
    group_caps: { intent: 60, interest: 40 },
  },
  auto_mql: { enabled: true, min_score: 70 },
}
