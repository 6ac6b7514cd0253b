import type { ErrorCatalogue } from '#platform/errors'

export const expertErrors: ErrorCatalogue = {
  reopen_not_allowed: {
    status: 409,
    title: 'Request that cannot be reopened',
    description: 'A request to an expert can be reopened within 7 days after its answer, and at most 3 times.',
    remedy: 'Create a new request.',
  },
  rating_not_allowed: {
    status: 409,
    title: 'Request that cannot be rated',
    description: 'A request to an expert can be rated when it is answered, and until 30 days after it was closed.',
    remedy: 'Wait for the answer. An answer that was closed earlier can no longer be rated.',
  },
}
