import type { ErrorCatalogue } from '#platform/errors'

export const libraryErrors: ErrorCatalogue = {
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
}
