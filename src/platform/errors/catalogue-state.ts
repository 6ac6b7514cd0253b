export const stateErrors = {
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
  not_publishable: {
    status: 409,
    title: 'Incomplete content',
    description: 'The content item lacks what its type needs to be published: a file, a `url` or a `body`.',
    remedy: 'Add what the message names, then repeat the request.',
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
  last_admin: {
    status: 409,
    title: 'Last active admin',
    description: 'This user is the last active admin of the workspace.',
    remedy: 'Make another user an admin first.',
  },
  self_change: {
    status: 409,
    title: 'Not allowed on your own account',
    description:
      'Users cannot change their own role or status, reset their own password as an admin, or impersonate themselves.',
    remedy: 'Ask another admin, or change your password with POST /api/auth/change-password.',
  },
  currency_in_use: {
    status: 409,
    title: 'Base currency in use',
    description: 'Stored amounts were calculated in the base currency, so it cannot change any more.',
    remedy: 'Keep the currency, or create a new workspace with another one.',
  },
  lead_converted: {
    status: 409,
    title: 'Converted lead',
    description: 'Only notes and tags of a converted lead can be changed.',
    remedy: 'Update the contact or the account that the lead was converted to.',
  },
  selection_changed: {
    status: 409,
    title: 'Changed selection',
    description: 'The number of records that match the filter differs from `expected_count`. `actual` has the number.',
    remedy: 'Review the list, then repeat the request with its current count.',
  },
  processing_restricted: {
    status: 409,
    title: 'Restricted processing',
    description: 'The person has restricted the processing of their data. It is stored, but must not be used.',
    remedy: 'If the restriction was lifted, update the consent of the record first.',
  },
  stage_in_use: {
    status: 409,
    title: 'Pipeline stage in use',
    description: 'A removed stage still has deals (deleted ones included). `counts` has the number of deals per stage.',
    remedy: 'Set `move_to` to the stage that receives the deals, then repeat the request.',
  },
  option_in_use: {
    status: 409,
    title: 'Option in use',
    description: 'Records have an option that the request removes. `counts` has the number of records per option.',
    remedy: 'Set `replace_options` to the option that replaces it, or to null to clear the values.',
  },
  field_in_use: {
    status: 409,
    title: 'Custom field in use',
    description: 'Records, scoring rules or mappings use the custom field. `usage` has the counts.',
    remedy: 'Deactivate the field, or repeat the request with `force=true` as an admin.',
  },
  duplicate_values: {
    status: 409,
    title: 'Duplicate values',
    description: 'Records have equal values of a field that would become unique. `examples` has up to ten of them.',
    remedy: 'Correct the values, then repeat the request.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit reached',
    description: 'The workspace already has the largest allowed number of such records.',
    remedy: 'Delete or change an existing record first.',
  },
  has_dependents: {
    status: 409,
    title: 'Dependent records',
    description: 'Other records require this one. `counts` has the number of dependent records per type.',
    remedy: 'Close, move or delete the dependent records first.',
  },
  task_finished: {
    status: 409,
    title: 'Finished task',
    description: 'The task has already ended and cannot be cancelled.',
    remedy: 'Read its result with GET /api/tasks/{task_id}/status.',
  },
  confirmation_missing: {
    status: 409,
    title: 'Missing confirmation',
    description: 'This action cannot be undone and requires confirmation.',
    remedy: 'Repeat the request with the confirmation that the message names.',
  },
  link_expired: {
    status: 410,
    title: 'Expired link',
    description: 'The link was already used, or has expired.',
    remedy: 'Request a new link.',
  },
  version_mismatch: {
    status: 412,
    title: 'Version mismatch',
    description: 'The record has changed since the version in `If-Match`.',
    remedy: 'Read the record again, then repeat the change with its new `ETag`.',
  },
}
