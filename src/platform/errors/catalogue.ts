import { accessErrors } from './catalogue-access.ts'
import { requestErrors } from './catalogue-requests.ts'

const stateErrors = {
  conflict: {
    status: 409,
    title: 'Conflict with the current state',
    description: 'The request is valid, but the current state does not allow it. The message gives the reason.',
    remedy: 'Read the record again, resolve the conflict, then repeat the request.',
  },
  idempotency_claim_lost: {
    status: 409,
    title: 'Idempotency key taken over by a retry',
    description: 'The request took so long that a retry with the same Idempotency-Key replaced it.',
    remedy: 'Send the request again with the same key to get the response of the retry.',
  },
  already_exists: {
    status: 409,
    title: 'Existing record',
    description: 'A record with this unique value already exists. `existing_id` has its id, where it can be shown.',
    remedy: 'Use the existing record, or choose another value.',
  },
  invalid_transition: {
    status: 409,
    title: 'Invalid status transition',
    description:
      'The record cannot change from its current status to the requested one. `allowed` lists the valid ones.',
    remedy: 'Choose one of the values in `allowed`.',
  },
  tenant_in_maintenance: {
    status: 409,
    title: 'Workspace in maintenance',
    description:
      'The workspace is in maintenance, so its data cannot be changed. Reads, sign-in and administration work.',
    remedy: 'Try again after the number of seconds in `Retry-After`.',
  },
  scan_pending: {
    status: 409,
    title: 'Pending virus scan',
    description: 'The file was uploaded a moment ago and has not been scanned for viruses yet.',
    remedy: 'Try again after the number of seconds in `Retry-After`.',
  },
  file_quarantined: {
    status: 409,
    title: 'File in quarantine',
    description: 'The virus scan found a problem in the file or could not be completed.',
    remedy: 'Check the original file for viruses, then upload it again.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit reached',
    description: 'The workspace already has the largest allowed number of such records.',
    remedy: 'Delete or change an existing record first.',
  },
  task_finished: {
    status: 409,
    title: 'Finished task',
    description: 'The task has already ended and cannot be cancelled.',
    remedy: 'Read its result with GET /api/tasks/{task_id}/status.',
  },
  link_expired: {
    status: 410,
    title: 'Expired link',
    description:
      'The link was already used, has expired or no longer works. Links of surveys have a `reason`: `expired`, `revoked`, `closed` or `deleted`.',
    remedy: 'Request a new link.',
  },
  version_mismatch: {
    status: 412,
    title: 'Version mismatch',
    description: 'The record has changed since the version in `If-Match`.',
    remedy: 'Read the record again, then repeat the change with its new `ETag`.',
  },
}

export type ErrorDescription = { status: number; title: string; description: string; remedy: string }

/** Error codes with their descriptions. The `type` of a problem response links to a page rendered from its entry. */
export type ErrorCatalogue = Readonly<Record<string, ErrorDescription>>

/** Error codes of the platform, and those that several modules use. */
export const platformErrors: ErrorCatalogue = {
  ...accessErrors,
  ...requestErrors,
  ...stateErrors,
}
