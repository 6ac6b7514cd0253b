/** Activities that count as a signal: by type, and for some types by outcome or direction. */
export type SignalSource = { type: string; outcome?: string; direction?: string }

const activitySignals = [
  'email_opened',
  'email_clicked',
  'email_bounced',
  'form_submitted',
  'page_viewed',
  'content_viewed',
  'room_visited',
  'survey_responded',
  'event_registered',
  'event_attended',
  'campaign_responded',
  'meeting_booked',
  'product_used',
] as const

const derivedSignals = {
  email_replied: [{ type: 'email_replied' }, { type: 'email', direction: 'in' }],
  call_connected: [{ type: 'call', outcome: 'connected' }],
  meeting_held: [{ type: 'meeting', outcome: 'held' }],
  // Read from the current email status of the lead.
  unsubscribed: [],
} as const satisfies Record<string, readonly SignalSource[]>

export const signals = [
  ...activitySignals,
  ...(Object.keys(derivedSignals) as (keyof typeof derivedSignals)[]),
] as const
export type Signal = (typeof signals)[number]

export const signalSourcesOf = (signal: Signal): readonly SignalSource[] =>
  signal in derivedSignals ? derivedSignals[signal as keyof typeof derivedSignals] : [{ type: signal }]
