import type { ErrorCatalogue } from '#platform/errors'

export const roomErrors: ErrorCatalogue = {
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
}
