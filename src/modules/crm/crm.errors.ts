import type { ErrorCatalogue } from '#platform/errors'

export const crmErrors: ErrorCatalogue = {
  no_exchange_rate: {
    status: 422,
    title: 'Missing exchange rate',
    description:
      "Totals are calculated in the workspace's base currency, and there is no exchange rate for this currency.",
    remedy: 'Add the rate to `currency_rates` with PUT /api/leads/settings, or use another currency.',
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
    description: 'Records, scoring rules, mappings or segments use the custom field. `usage` has the counts.',
    remedy: 'Deactivate the field, or repeat the request with `force=true` as an admin.',
  },
  duplicate_values: {
    status: 409,
    title: 'Duplicate values',
    description: 'Records have equal values of a field that would become unique. `examples` has up to ten of them.',
    remedy: 'Correct the values, then repeat the request.',
  },
  too_many_failures: {
    status: 409,
    title: 'Too many failed rows',
    description:
      'More than half of the first 1,000 rows of an import failed, so it was stopped. Its rows have the reasons.',
    remedy: 'Undo the import, correct the mapping or the file, and upload it again.',
  },
  undo_expired: {
    status: 409,
    title: 'Undo no longer possible',
    description: 'An import can be undone within 7 days, a bulk action within 24 hours.',
    remedy: 'Restore, delete or update the records instead; a filter of `import_id` finds those of an import.',
  },
  has_dependents: {
    status: 409,
    title: 'Dependent records',
    description: 'Other records require this one. `counts` has the number of dependent records per type.',
    remedy: 'Close, move or delete the dependent records first.',
  },
}
