import type { EngagementRule, FitRule, ScoringConfig } from './scoring.schemas.ts'
import type { Signal } from './signals.rules.ts'

export const executiveTitleWords = 'ceo cto cfo coo cmo cro chief founder owner president vp'.split(' ')
export const managerTitleWords = ['head', 'director', 'manager', 'lead']
export const outsiderTitleWords = ['student', 'intern', 'retired']

type GroupPoints = [group: string, points: number]

const titleRule = (key: string, label: string, words: string[], [group, points]: GroupPoints): FitRule => ({
  key,
  label,
  group,
  points,
  when: { field: 'title', op: 'has_any_word', value: words },
})
const knownFieldRule = (field: string, label: string, [group, points]: GroupPoints): FitRule => ({
  key: `${field}_known`,
  label,
  group,
  points,
  when: { field, op: 'is_set' },
})
const signalRule = (
  signal: Signal,
  label: string,
  max_count: number,
  [group, points]: GroupPoints,
): EngagementRule => ({
  key: signal,
  label,
  group,
  signal,
  points,
  max_count,
})

/** Version 0: used until a workspace stores its own config. */
export const defaultScoringConfig: ScoringConfig = {
  grade_thresholds: { a: 70, b: 40 },
  weights: { fit: 0.5, engagement: 0.5 },
  fit: {
    rules: [
      titleRule('leader_title', 'Leads the company', executiveTitleWords, ['person', 30]),
      titleRule('head_title', 'Leads a team', managerTitleWords, ['person', 20]),
      {
        key: 'business_email',
        label: 'Business email address',
        group: 'person',
        points: 15,
        when: { field: 'email_kind', op: 'eq', value: 'business' },
      },
      knownFieldRule('phone', 'Phone number known', ['person', 5]),
      knownFieldRule('company', 'Company known', ['company', 10]),
      knownFieldRule('industry', 'Industry known', ['company', 10]),
      {
        key: 'mid_size',
        label: '50 to 999 employees',
        group: 'company',
        points: 20,
        when: { field: 'employee_count', op: 'between', value: [50, 999] },
      },
      {
        key: 'large_size',
        label: '1,000 employees or more',
        group: 'company',
        points: 30,
        when: { field: 'employee_count', op: 'gte', value: 1_000 },
      },
      titleRule('outsider_title', 'Student, intern or retired', outsiderTitleWords, ['negative', -20]),
      {
        key: 'free_email',
        label: 'Free email address',
        group: 'negative',
        points: -10,
        when: { field: 'email_kind', op: 'eq', value: 'free' },
      },
    ],
    group_caps: { person: 50, company: 50 },
  },
  engagement: {
    half_life_days: 14,
    window_days: 90,
    rules: [
      signalRule('meeting_held', 'Attended a meeting', 2, ['intent', 30]),
      signalRule('form_submitted', 'Submitted a form', 2, ['intent', 25]),
      signalRule('email_replied', 'Replied to an email', 3, ['intent', 20]),
      signalRule('call_connected', 'Answered a call', 3, ['intent', 15]),
      signalRule('campaign_responded', 'Responded to a campaign', 3, ['interest', 10]),
      signalRule('event_attended', 'Attended an event', 3, ['interest', 10]),
      signalRule('product_used', 'Used the product', 3, ['interest', 10]),
      signalRule('email_clicked', 'Clicked a link in an email', 6, ['interest', 5]),
      signalRule('content_viewed', 'Viewed content', 5, ['interest', 3]),
      signalRule('page_viewed', 'Visited a page', 10, ['interest', 2]),
      signalRule('email_opened', 'Opened an email', 5, ['interest', 1]),
      signalRule('unsubscribed', 'Unsubscribed from emails', 1, ['negative', -30]),
      signalRule('email_bounced', 'Emails bounced', 1, ['negative', -20]),
    ],
    group_caps: { intent: 60, interest: 40 },
  },
  auto_mql: { enabled: true, min_score: 70 },
}
