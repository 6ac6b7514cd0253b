/** How a signal is told in a timeline: by the type of an activity, of which some count by what came of it, or who began. */
export type SignalSource = { type: string; outcome?: string; direction?: string }

const asTold = [
  ...(['email_opened', 'email_clicked', 'email_bounced', 'form_submitted', 'page_viewed', 'content_viewed'] as const),
  ...(['room_visited', 'survey_responded', 'event_registered', 'event_attended', 'campaign_responded'] as const),
  ...(['meeting_booked', 'product_used'] as const),
] as const

const derived = {
  email_replied: [{ type: 'email_replied' }, { type: 'email', direction: 'in' }],
  call_connected: [{ type: 'call', outcome: 'connected' }],
  meeting_held: [{ type: 'meeting', outcome: 'held' }],
  // Told by the lead itself, as it is now, and therefore once.
  unsubscribed: [],
} as const satisfies Record<string, readonly SignalSource[]>

/** What a rule about engagement may count. */
export const signals = [...asTold, ...(Object.keys(derived) as (keyof typeof derived)[])] as const
export type Signal = (typeof signals)[number]

export const sourcesOf = (signal: Signal): readonly SignalSource[] =>
  signal in derived ? derived[signal as keyof typeof derived] : [{ type: signal }]
