import type { ImportOptions } from './import.schemas.ts'

export const defaultOptions: ImportOptions = {
  match_by: 'email',
  on_match: 'update_empty',
  blank_clears: false,
  multi_select: 'add',
  default_values: {},
  tags: [],
  run_assignment: false,
  start_sla: false,
  basis: 'none',
}
