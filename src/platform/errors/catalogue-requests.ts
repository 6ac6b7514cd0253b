export const requestErrors = {
  malformed_request: {
    status: 400,
    title: 'Malformed HTTP request',
    description: 'The request cannot be parsed as HTTP/1.1.',
    remedy: 'Check the request line, the headers and the length of the body.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    description: 'Headers must arrive within 10 seconds, bodies within the time limit of their operation.',
    remedy: 'Send the request again on a new connection.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    description: 'The request line and all headers together can have at most 16 KiB.',
    remedy: 'Send a shorter URL and fewer headers.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    description: 'The workspace has no record with this id, or no route matches the URL.',
    remedy: 'Check the id and the URL.',
  },
  tenant_not_found: {
    status: 404,
    title: 'Unknown workspace',
    description: 'No workspace has the host name of the request.',
    remedy: 'Check the first part of the host name.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    description: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  upload_too_slow: {
    status: 408,
    title: 'Upload too slow',
    description: 'Less than 8 KiB per second of an upload arrived during ten seconds.',
    remedy: 'Upload the file again over a faster connection.',
  },
  too_large: {
    status: 413,
    title: 'Body too large',
    description: 'A JSON body can have at most 1 MiB, 50,000 values and 10,000 field names; 16 KiB on /api/auth/.',
    remedy: 'Send less data per request.',
  },
  storage_quota_exceeded: {
    status: 413,
    title: 'Exceeded storage quota',
    description: 'The files of the workspace and the new one together exceed the storage quota of the workspace.',
    remedy: 'Delete files that are no longer needed, or ask the operator for a larger quota.',
  },
  macros_not_allowed: {
    status: 415,
    title: 'File with macros',
    description: 'Office files with macros or ActiveX controls are not accepted.',
    remedy: 'Save the file in a format without macros (docx, xlsx, pptx), then upload it again.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range outside the file',
    description: 'The range in `Range` begins after the end of the file. `Content-Range` has its size.',
    remedy: 'Request a range within the size of the file.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    description:
      'Bodies must be uncompressed JSON in UTF-8, unless the operation says otherwise. For files, `detected` and `accepted` list the types.',
    remedy: 'Send `Content-Type: application/json`, or a file of an accepted type.',
  },
  validation_failed: {
    status: 422,
    title: 'Invalid request',
    description:
      'Fields are missing, unknown or invalid. `errors` lists up to 100 problems with their locations; for bodies with more than 64 KiB or 2,000 values only the first.',
    remedy: 'Correct the fields in `errors`, then send the request again.',
  },
  malformed_json: {
    status: 422,
    title: 'Malformed JSON',
    description: 'The body cannot be parsed as JSON in UTF-8.',
    remedy: 'Check the syntax and the encoding of the body.',
  },
  text_too_complex: {
    status: 422,
    title: 'Text too complex',
    description: 'A text takes longer to format or to analyze than the service allows.',
    remedy: 'Shorten the text, or divide it into several texts.',
  },
  unknown_reference: {
    status: 422,
    title: 'Unknown reference',
    description: 'An id in the body does not belong to a record of this workspace.',
    remedy: 'Use the id of an existing record in the field that `errors` names.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    description:
      'A limit is exhausted: one in `RateLimit-Policy`, failed sign-ins, or a daily quota such as invitations. Refused requests count too.',
    remedy: 'Wait for the number of seconds in `Retry-After`.',
  },
  quota_exceeded: {
    status: 429,
    title: 'Monthly quota of events used up',
    description: 'The workspace has sent as many usage events as the operator allows per month.',
    remedy: 'Wait for the first of the next month (`Retry-After`), or ask the operator for a higher limit.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    description: 'The service failed to process the request. The request itself is not at fault.',
    remedy: 'Try again later. If the problem persists, contact support with the `request_id`.',
  },
  dependency_unavailable: {
    status: 503,
    title: 'Service unavailable',
    description: 'A dependency of the service does not respond, or the service is overloaded.',
    remedy:
      'Try again after the number of seconds in `Retry-After`. Send an `Idempotency-Key` so that a retry has no second effect.',
  },
}
