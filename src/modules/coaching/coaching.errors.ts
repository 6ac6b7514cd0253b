import type { ErrorCatalogue } from '#platform/errors'

export const coachingErrors: ErrorCatalogue = {
  not_published: {
    status: 409,
    title: 'Unpublished scenario',
    description: 'Sessions and roleplays need a published scenario, and roleplays also an active persona.',
    remedy: 'Choose a published scenario or an active persona, or publish this scenario.',
  },
  scores_missing: {
    status: 409,
    title: 'Missing scores',
    description:
      'A coaching session is completed with a score for every criterion. `missing` lists the keys without one.',
    remedy: 'Send the missing scores, or set `skip_scoring` to true.',
  },
  session_closed: {
    status: 409,
    title: 'Ended session',
    description:
      'The coaching session has ended. Only action items, the reflection, the acknowledgement and corrections of scores can change.',
    remedy: 'Schedule a new session.',
  },
  too_many_active: {
    status: 409,
    title: 'Too many active roleplays',
    description: 'A user can have three active roleplays.',
    remedy: 'Finish one of them, then repeat the request.',
  },
  turn_in_progress: {
    status: 409,
    title: 'Message being answered',
    description: 'Another message of the roleplay is being answered.',
    remedy: 'Wait for the reply, then send the next message.',
  },
  evaluation_running: {
    status: 409,
    title: 'Running evaluation',
    description: 'The roleplay or the pitch is being evaluated by another request or a task.',
    remedy: 'Try again after the number of seconds in `Retry-After`.',
  },
  conversation_ended: {
    status: 409,
    title: 'Ended conversation',
    description: 'The buyer has ended the conversation, or its limit of messages or time is reached.',
    remedy: 'Finish the roleplay to get the scorecard.',
  },
}
