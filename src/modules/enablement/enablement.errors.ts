import type { ErrorCatalogue } from '#platform/errors'
import { expertErrors } from './experts.errors.ts'
import { learningErrors } from './learning.errors.ts'
import { pitchErrors } from './pitch.errors.ts'

export const enablementErrors: ErrorCatalogue = {
  access_denied: {
    status: 403,
    title: 'Access to a room denied',
    description:
      'The password, the email address or the code is missing or not accepted. `requires` lists what is needed.',
    remedy: 'Check the input, or request a new code by sending the email address without `code`.',
  },
  visit_required: {
    status: 403,
    title: 'Visit required',
    description:
      'The visit token is missing, invalid or expired, or belongs to another link, another visit or a preview.',
    remedy: 'Start a visit and send its token in `X-Visit-Token`.',
  },
  email_required: {
    status: 403,
    title: 'Email address required',
    description: 'Anonymous visitors of a room cannot do this.',
    remedy: 'Start a visit with an email address.',
  },
  downloads_disabled: {
    status: 403,
    title: 'Downloads not allowed',
    description: 'The owner of the room does not allow downloads of this item.',
    remedy: 'Open the item in the browser instead.',
  },
  not_publishable: {
    status: 409,
    title: 'Incomplete record',
    description:
      'The record lacks what it needs to be published: a content item its file, `url` or `body`; a scenario its persona; a learning path a required module, or a module its questions or published records. `problems` lists those of a path.',
    remedy: 'Add what the message names, then repeat the request.',
  },
  in_use: {
    status: 409,
    title: 'Record in use',
    description: 'Other records use this one, so it cannot be deleted. `references` lists up to 20 of them.',
    remedy: 'Archive or change the records in `references`, then repeat the request.',
  },
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
  published_needs_file: {
    status: 409,
    title: 'File of published content',
    description: 'The file is all that the published item has, so it cannot be removed.',
    remedy: 'Set `status` to `draft` first, or upload another file instead.',
  },
  stale_order: {
    status: 409,
    title: 'Outdated order',
    description:
      'Items were added to or removed from the list since it was read. `current_item_ids` has the current ones.',
    remedy: 'Order the current items, then repeat the request.',
  },
  view_closed: {
    status: 409,
    title: 'Closed view',
    description: 'The view had no heartbeat for 30 minutes, so it was closed.',
    remedy: 'Read the content item again to open a new view.',
  },
  visit_closed: {
    status: 409,
    title: 'Ended visit',
    description: 'The visit of the room ended, or had no heartbeat for 30 minutes.',
    remedy: 'Start a new visit.',
  },
  preview_ended: {
    status: 410,
    title: 'Ended preview',
    description:
      'The URL of the preview of a room was used or is older than five minutes, or the preview ended: 30 minutes passed since its last event, or its link, the room or the access of its creator changed.',
    remedy: 'Open the preview again from the room.',
  },
  room_closed: {
    status: 410,
    title: 'Closed room',
    description: 'The room was closed or archived by its owner.',
    remedy: 'Ask the person who sent the link.',
  },
  ...pitchErrors,
  ...learningErrors,
  ...expertErrors,
}
