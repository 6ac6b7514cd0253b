/** Can the request be understood, and can it be answered? */
export const requestErrors = {
  sso_state_invalid: {
    status: 400,
    title: 'No sign-on of ours led here',
    meaning: 'The provider sent somebody back with a state this service did not give out, or whose time is over.',
    action: 'Go to the sign-in page of the workspace and start again.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such record in this workspace, or nothing at this address.',
    action: 'Check the id and the address.',
  },
  tenant_not_found: {
    status: 404,
    title: 'There is no such workspace',
    meaning: 'The host name of the request names no workspace.',
    action: 'Check the first part of the host name.',
  },
  sso_not_configured: {
    status: 404,
    title: 'This provider is not set up',
    meaning: 'The workspace does not let people sign in through it.',
    action: 'Sign in another way; GET /api/auth/sso/providers lists what there is. An admin can set it up.',
  },
  too_large: {
    status: 413,
    title: 'The body is too large',
    meaning: 'A JSON body may have 1 MiB; uploads have limits of their own.',
    action: 'Send less at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is of the wrong kind',
    meaning: 'Bodies are JSON in UTF-8 and uncompressed, unless an operation says otherwise.',
    action: 'Send Content-Type: application/json.',
  },
  validation_failed: {
    status: 422,
    title: 'The request is not valid',
    meaning: 'Fields are missing, unknown, or of the wrong kind. The member errors names every problem and its place.',
    action: 'Correct what errors names, then send the request again.',
  },
  malformed_json: {
    status: 422,
    title: 'The body is not JSON',
    meaning: 'The body cannot be read as JSON in UTF-8.',
    action: 'Check the body, its quotes and its encoding.',
  },
  unknown_reference: {
    status: 422,
    title: 'The body names something unknown',
    meaning: 'An id in the body belongs to no record of this workspace.',
    action: 'See errors for the field, and name a record that exists.',
  },
  no_exchange_rate: {
    status: 422,
    title: 'There is no rate for the currency',
    meaning:
      'Sums are reckoned in the base currency of the workspace, and no rate says what the amount is worth in it.',
    action: 'Add the rate to currency_rates with PUT /api/leads/settings, or give the amount in another currency.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'One of the limits that RateLimit-Policy tells of is used up.',
    action: 'Wait as many seconds as Retry-After says.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    meaning: 'This is a mistake in the service, and not in the request.',
    action: 'Try again later. If it stays, tell whoever runs the service the request_id.',
  },
  dependency_unavailable: {
    status: 503,
    title: 'Not available at the moment',
    meaning: 'Something the service needs does not answer, or there is more to do than can be done.',
    action:
      'Try again after as many seconds as Retry-After says. Send an Idempotency-Key with what must not happen twice.',
  },
}
